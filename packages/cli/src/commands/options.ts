import { Option } from 'commander';
import { productNames } from '../folder/listed-files.js';
import { parseEnterpriseNumber } from '../import/enterprise-number.js';

/** The option `--number` of commands that list what a customer has. */
export function numberOption(): Option {
  return new Option('--number <number>', 'of the customer with this enterprise number').argParser(
    parseEnterpriseNumber,
  );
}

/** The option `--product` of commands that list files. */
export function productOption(): Option {
  return new Option('--product <product>', 'which files')
    .choices([...productNames, 'all'])
    .default('all');
}
