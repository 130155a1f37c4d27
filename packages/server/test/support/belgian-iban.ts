export {
  ibanCheckDigits,
  ibanOf as belgianIban,
  newIban,
} from '../../../../test/support/numbers.js';
