import type { FindingTexts } from '../finding-language.js';
import type { CodaFindingCode } from './finding-catalogue.js';

/** The findings of the CODA reader in French. */
export const codaFindingsFr: FindingTexts<CodaFindingCode> = {
  emptyFile: 'Le fichier ne contient aucun extrait de compte',
  headerMissing:
    'Ces lignes n’appartiennent à aucun extrait\u00A0: l’en-tête (enregistrement de type 0) manque',
  statementTooLarge: 'L’extrait dépasse la taille maximale',
  encodingUnsupported:
    'Le fichier a été converti dans un codage qu’aucune banque ne livre : transférez-le sans le modifier',
  lineLength: 'L’enregistrement n’a pas 128 caractères',
  recordType: 'Type d’enregistrement inconnu',
  recordOrder: 'Cet enregistrement n’est pas permis à cet endroit',
  trailerMissing: 'L’enregistrement de fin (type 9) manque',
  newBalanceMissing:
    'Le nouveau solde (enregistrement de type 8) manque alors qu’il y a des mouvements',
  headerConstant: 'L’en-tête n’a pas la constante prévue à cet endroit',
  version1: 'La version 1 de CODA, abandonnée en 2007, n’est pas acceptée',
  version: 'La version n’est pas 2',
  digits: 'Seuls des chiffres sont permis ici',
  date: 'Date invalide (JJMMAA)',
  accountStructure: 'La structure du compte n’est ni 0, ni 1, ni 2, ni 3',
  sign: 'Le signe n’est ni 0 (crédit) ni 1 (débit)',
  communicationFlag: 'Le code de la communication n’est ni 0 (libre) ni 1 (structurée)',
  sequenceNumber: 'Le numéro de séquence ne suit pas le précédent',
  detailNumber: 'Le numéro de détail ne suit pas le précédent',
  continuationKey:
    'Les numéros de séquence et de détail diffèrent de ceux de l’enregistrement continué',
  nextCode: 'Le code suite ne correspond pas à l’enregistrement qui suit',
  linkCode: 'Le code lien ne correspond pas à l’enregistrement qui suit',
  accountMismatch: 'L’ancien et le nouveau solde sont de comptes différents',
  currencyMismatch: 'L’ancien et le nouveau solde sont dans des devises différentes',
  balance: 'L’ancien solde et les mouvements ne donnent pas le nouveau solde',
  trailerCount:
    'Le nombre d’enregistrements de types 1, 2, 3 et 8 dans l’enregistrement de fin est faux',
  trailerDebitTotal: 'Le total des débits dans l’enregistrement de fin est faux',
  trailerCreditTotal: 'Le total des crédits dans l’enregistrement de fin est faux',
  ibanCheckDigits: 'La longueur ou les chiffres de contrôle de l’IBAN sont faux',
  bbanCheckDigits: 'Les chiffres de contrôle du numéro de compte sont faux',
  multipleFileCode: 'Le code de fichier multiple n’est ni 1 ni 2',

  unknownTransactionCode: 'Le code de l’opération n’est pas dans la norme',
  unknownCategory: 'La catégorie de l’opération n’est pas dans la norme',
  unknownCommunicationType: 'Le type de communication n’est pas dans la norme',
  communicationCheckDigits: 'Les chiffres de contrôle de la communication sont faux',
  communicationField: 'Un champ de la communication est illisible',
  detailSum: 'Les détails ne donnent pas leur total',
  informationReference: 'La référence diffère de celle du mouvement',
  informationTransactionCode: 'Le code de l’opération diffère de celui du mouvement',
  statementNumberGap: 'Des numéros d’extrait manquent avant celui-ci',
  oldBalanceGap: 'L’ancien solde diffère du nouveau solde de l’extrait précédent',
  statementRepeated: 'Cet extrait, ou une version précédente, était déjà là',
  duplicate: 'La banque a marqué cet extrait comme duplicata',
  thirdDecimal: 'La troisième décimale du montant n’est pas 0',
  bicOfAnotherBank: 'Le BIC n’est pas celui de la banque qui tient le compte',
  counterpartyIban:
    'Le compte ressemble à un IBAN, mais sa longueur ou ses chiffres de contrôle sont faux',
  rTransaction: 'Le type d’opération R n’est pas dans la norme',
  reservedPositions: 'Des positions réservées ne sont pas vides',
  freeCommunicationNumber: 'Le numéro de la communication libre ne suit pas le précédent',
  blankLine: 'Il y a des lignes vides ou des caractères de contrôle en dehors des enregistrements',
  lineEnd:
    'La ligne se termine par plusieurs retours chariot, ou par la marque de fin de fichier de DOS (1A)',
  lineEndMissing: 'L’enregistrement suivant suit sans fin de ligne',
  trailingBlanks: 'L’enregistrement a des espaces après ses 128 caractères',
  byteOrderMark: 'Le fichier commence par une marque d’ordre des octets',
  replacementCharacter: 'Un caractère a été perdu avant la création de ce fichier (U+FFFD)',

  headerFieldBlank: 'Le champ de l’en-tête a des blancs au lieu de chiffres',
  lastThoughFollowed:
    'L’enregistrement de fin dit que cet extrait est le dernier, mais un autre suit',
  trailerNotLast:
    'L’enregistrement de fin dit qu’un autre extrait suit, mais celui-ci est le dernier',
  trailerCut: 'L’enregistrement de fin est coupé après ses totaux',
  accountStructureBlank: 'La structure du compte est vide et a été déduite du numéro de compte',
  transactionCodeZero: 'Le code de l’opération est 00000000',
  paperNumberIsDayOfYear: 'Le numéro papier est le jour de l’année',
  entryDateZero: 'La date comptable est 000000',
  newBalanceDateZero: 'La date du nouveau solde est 000000',
  newBalanceAbsent: 'L’extrait vide n’a pas de nouveau solde (enregistrement de type 8)',
  totalWithoutDetails: 'Le total n’a pas de détails',
  detailWithoutLevel: 'Le niveau de globalisation ne délimite pas les détails',
  informationReferenceOfDetail: 'La référence est celle du premier détail, pas du mouvement',
  informationNumberRepeated:
    'Le numéro de détail est celui de l’enregistrement précédent, pas le suivant',
  wrappedInformation: 'Un texte s’étend sur de nombreux enregistrements d’information',
  paperNumberRepeated: 'Le numéro papier est celui de l’extrait précédent',
  ibanAsOtherNumber: 'La structure du compte est celle d’un autre numéro, mais c’est un IBAN',
  spacesInAccount: 'Le numéro de compte contient des espaces',
  maskedCard: 'Le numéro de carte est masqué par des zéros',
};
