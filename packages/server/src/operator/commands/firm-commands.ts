import type { Command } from 'commander';
import { setFirmDisabled } from '../../identity/disable-firm.js';
import {
  createFirmStore,
  type Firm,
  type FirmChanges,
  type FirmStore,
} from '../../identity/firms.js';
import { deliveriesOfFirm } from '../../mandates/disabled-firms.js';
import { orNone, parseEmail, parseId, parseName, parsePhone, parseSwitch } from '../arguments.js';
import { type OperatorContext, OperatorFailure, requireFound } from '../operator-context.js';
import { addEraseFirmCommand, addExportFirmCommand } from './firm-data-commands.js';

type FirmOptions = Omit<FirmChanges, 'email' | 'phone'> & {
  readonly email?: string;
  readonly phone?: string;
  readonly json?: true;
};

const contactOptions = {
  email: 'e-mail address for the contacts of its customers, to which their replies go',
  phone: 'phone number for the contacts of its customers',
};

export function addFirmCommands(program: Command, context: OperatorContext): void {
  const firm = program.command('firm').description('accounting firms');

  firm
    .command('create')
    .description('register a firm')
    .requiredOption('--name <name>', 'name of the firm', parseName)
    .option('--email <address>', contactOptions.email, parseEmail)
    .option('--phone <number>', contactOptions.phone, parsePhone)
    .option('--codb-upload', 'allow uploads of CODB files', false)
    .action(async (options: FirmOptions & { name: string; codbUpload: boolean }) => {
      const { name, codbUpload } = options;
      const created = await store(name, (firms) =>
        firms.create({ ...changesOf(options), name, codbUpload }),
      );
      printFirm(created);
    });

  firm
    .command('list')
    .description('list the firms')
    .action(() =>
      context.printList({
        read: async (knex) => (await createFirmStore(knex).list()).map(toJson),
        cells: (firm) => ({
          ID: firm.id,
          NAME: firm.name,
          TENANT: firm.tenant,
          'CODB UPLOAD': onOff(firm.codbUpload),
          'E-MAIL': firm.email,
          PHONE: firm.phone,
          DISABLED: firm.disabledOn,
        }),
      }),
    );

  firm
    .command('set')
    .description('change a firm; its tenant never changes')
    .argument('<id>', 'id of the firm', parseId)
    .option('--name <name>', 'name of the firm', parseName)
    .option('--email <address>', `${contactOptions.email}; none removes it`, orNone(parseEmail))
    .option('--phone <number>', `${contactOptions.phone}; none removes it`, orNone(parsePhone))
    .option('--codb-upload <on|off>', 'allow uploads of CODB files', parseSwitch)
    .action(async (id: string, options: FirmOptions, command: Command) => {
      const changes = changesOf(options);
      if (Object.keys(changes).length === 0) {
        command.error('error: nothing to change: give --name, --email, --phone or --codb-upload');
      }
      const changed = await store(changes.name ?? '', (firms) => firms.update(id, changes));
      printFirm(requireFound(changed, 'firm', id));
    });

  addSwitch('disable', 'end the access of a firm, until it is enabled again', true);
  addSwitch('enable', 'give a disabled firm its access back', false);
  addExportFirmCommand(firm, context);
  addEraseFirmCommand(firm, context);

  function addSwitch(name: string, description: string, isDisabled: boolean) {
    firm
      .command(name)
      .description(description)
      .argument('<id>', 'id of the firm', parseId)
      .action(async (id: string) => {
        const changed = await context.change((trx) =>
          setFirmDisabled(trx, deliveriesOfFirm, id, isDisabled),
        );
        printFirm(requireFound(changed, 'firm', id));
      });
  }

  /** @throws OperatorFailure if another firm has the name */
  async function store<Stored extends Firm | undefined>(
    name: string,
    change: (firms: FirmStore) => Promise<Stored | 'nameTaken'>,
  ): Promise<Stored> {
    const taken: { by?: Firm | undefined } = {};
    const stored = await context.change(async (trx) => {
      const firms = createFirmStore(trx);
      const outcome = await change(firms);
      if (outcome === 'nameTaken') taken.by = await firms.findByName(name);
      return outcome;
    });
    if (stored !== 'nameTaken') return stored;
    const { by } = taken;
    throw new OperatorFailure(`There is already a firm ${by ? `${by.name} (${by.id})` : name}.`);
  }

  function printFirm(shown: Firm) {
    context.printResult(toJson(shown), {
      id: shown.id,
      name: shown.name,
      tenant: shown.tenant,
      'CODB upload': onOff(shown.codbUpload),
      'e-mail': shown.email,
      phone: shown.phone,
      disabled: shown.disabledOn,
    });
  }
}

function changesOf({ json: _, email, phone, ...changes }: FirmOptions): FirmChanges {
  return {
    ...changes,
    ...(email !== undefined && { email: email === 'none' ? null : email }),
    ...(phone !== undefined && { phone: phone === 'none' ? null : phone }),
  };
}

function toJson({ id, name, tenant, codbUpload, email, phone, disabledOn }: Firm) {
  return {
    id,
    name,
    tenant,
    codbUpload,
    ...(email !== null && { email }),
    ...(phone !== null && { phone }),
    ...(disabledOn !== null && { disabledOn }),
  };
}

function onOff(value: boolean): string {
  return value ? 'on' : 'off';
}
