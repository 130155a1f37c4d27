import { XMLParser } from 'fast-xml-parser';
import type { CamtVersion } from '../../src/convert/camt053-parts.js';

/**
 * A part of the schema of camt.053.001.08, made from the published message definition (ISO 20022,
 * "Bank-to-Customer Statement V08"): each complex type that the writer uses, with all its elements
 * in order, and the types of those that it writes (`-` for others, which are refused). `?` is
 * optional, `*` any number, `+` at least one; a type after `|` is a choice. It stands in for the
 * XSD of ISO, which no package has. `formerTypes` has what versions 02 and 04 do otherwise.
 */
const complexTypes = `
Document = BkToCstmrStmt:Message
Message = GrpHdr:GroupHeader Stmt+:Statement SplmtryData*:-
GroupHeader = MsgId:Max35Text CreDtTm:ISODateTime MsgRcpt?:- MsgPgntn?:- OrgnlBizQry?:- AddtlInf?:-
Statement = Id:Max35Text StmtPgntn?:- ElctrncSeqNb?:Number RptgSeq?:- LglSeqNb?:Number CreDtTm?:ISODateTime FrToDt?:- CpyDplctInd?:CopyDuplicate RptgSrc?:- Acct:StatementAccount RltdAcct?:- Intrst*:- Bal+:Balance TxsSummry?:Totals Ntry*:Entry AddtlStmtInf?:Max500Text
StatementAccount = Id:AccountId Tp?:- Ccy?:Currency Nm?:Max70Text Prxy?:- Ownr?:Party Svcr?:Bank
Account = Id:AccountId Tp?:- Ccy?:Currency Nm?:Max70Text Prxy?:-
AccountId | IBAN:IBAN Othr:OtherAccount
OtherAccount = Id:Max34Text SchmeNm?:- Issr?:-
Party = Nm?:Max140Text PstlAdr?:Address Id?:PartyId CtryOfRes?:- CtctDtls?:-
PartyId | OrgId:Organisation PrvtId:Person
Organisation = AnyBIC?:- LEI?:- Othr*:OtherOrganisation
OtherOrganisation = Id:Max35Text SchmeNm?:- Issr?:Max35Text
Person = DtAndPlcOfBirth?:- Othr*:OtherPerson
OtherPerson = Id:Max35Text SchmeNm?:SchemeName Issr?:-
SchemeName | Cd:- Prtry:Max35Text
Address = AdrTp?:- Dept?:- SubDept?:- StrtNm?:- BldgNb?:- BldgNm?:- Flr?:- PstBx?:- Room?:- PstCd?:- TwnNm?:- TwnLctnNm?:- DstrctNm?:- CtrySubDvsn?:- Ctry?:- AdrLine*:Max70Text
Bank = FinInstnId:Institution BrnchId?:-
Institution = BICFI?:BIC ClrSysMmbId?:- LEI?:- Nm?:- PstlAdr?:- Othr?:-
Balance = Tp:BalanceType CdtLine*:- Amt:Amount CdtDbtInd:CreditDebit Dt:DateChoice Avlbty*:-
BalanceType = CdOrPrtry:Code SubTp?:-
Code | Cd:Max4Text Prtry:Max35Text
DateChoice | Dt:ISODate DtTm:ISODateTime
Totals = TtlNtries?:Sum TtlCdtNtries?:Sum TtlDbtNtries?:Sum TtlNtriesPerBkTxCd*:-
Sum = NbOfNtries?:Max15NumericText Sum?:Decimal
Entry = NtryRef?:Max35Text Amt:Amount CdtDbtInd:CreditDebit RvslInd?:- Sts:Code BookgDt?:DateChoice ValDt?:DateChoice AcctSvcrRef?:Max35Text Avlbty*:- BkTxCd:TransactionCode ComssnWvrInd?:- AddtlInfInd?:- AmtDtls?:- Chrgs?:- TechInptChanl?:- Intrst?:- CardTx?:- NtryDtls*:EntryDetails AddtlNtryInf?:Max500Text
TransactionCode = Domn?:- Prtry?:ProprietaryCode
ProprietaryCode = Cd:Max35Text Issr?:Max35Text
EntryDetails = Btch?:Batch TxDtls*:Transaction
Batch = MsgId?:- PmtInfId?:Max35Text NbOfTxs?:Max15NumericText TtlAmt?:- CdtDbtInd?:-
Transaction = Refs?:References Amt?:Amount CdtDbtInd?:CreditDebit AmtDtls?:AmountDetails Avlbty*:- BkTxCd?:TransactionCode Chrgs?:- Intrst?:- RltdPties?:Parties RltdAgts?:Agents LclInstrm?:- Purp?:Code RltdRmtInf*:- RmtInf?:Remittance RltdDts?:Dates RltdPric?:- RltdQties*:- FinInstrmId?:- Tax?:- RtrInf?:Return CorpActn?:- SfkpgAcct?:- CshDpst*:- CardTx?:- AddtlTxInf?:Max500Text SplmtryData*:-
References = MsgId?:- AcctSvcrRef?:Max35Text PmtInfId?:- InstrId?:- EndToEndId?:Max35Text UETR?:- TxId?:- MndtId?:Max35Text ChqNb?:Max35Text ClrSysRef?:- AcctOwnrTxId?:- AcctSvcrTxId?:- MktInfrstrctrTxId?:- PrcgId?:- Prtry*:-
AmountDetails = InstdAmt?:AmountDetail TxAmt?:- CntrValAmt?:- AnncdPstngAmt?:- PrtryAmt*:-
AmountDetail = Amt:Amount CcyXchg?:-
Parties = InitgPty?:- Dbtr?:PartyChoice DbtrAcct?:Account UltmtDbtr?:PartyChoice Cdtr?:PartyChoice CdtrAcct?:Account UltmtCdtr?:PartyChoice TradgPty?:- Prtry*:-
PartyChoice | Pty:Party Agt:-
Agents = InstgAgt?:- InstdAgt?:- DbtrAgt?:Bank CdtrAgt?:Bank IntrmyAgt1?:- IntrmyAgt2?:- IntrmyAgt3?:- RcvgAgt?:- DlvrgAgt?:- IssgAgt?:- SttlmPlc?:- Prtry*:-
Remittance = Ustrd*:Max140Text Strd*:Structured
Structured = RfrdDocInf*:- RfrdDocAmt?:- CdtrRefInf?:CreditorReference Invcr?:- Invcee?:- TaxRmt?:- GrnshmtRmt?:- AddtlRmtInf*3:Max140Text
CreditorReference = Tp?:ReferenceType Ref?:Max35Text
ReferenceType = CdOrPrtry:ReferenceCode Issr?:Max35Text
ReferenceCode | Cd:DocumentType Prtry:Max35Text
Dates = AccptncDtTm?:- TradActvtyCtrctlSttlmDt?:- TradDt?:- IntrBkSttlmDt?:ISODate StartDt?:- EndDt?:- TxDtTm?:- Prtry*:-
Return = OrgnlBkTxCd?:- Orgtr?:- Rsn?:Code AddtlInf*:Max105Text
`;

const entryOf = (status: string) =>
  `Entry = NtryRef?:Max35Text Amt:Amount CdtDbtInd:CreditDebit RvslInd?:- Sts:${status} BookgDt?:DateChoice ValDt?:DateChoice AcctSvcrRef?:Max35Text Avlbty*:- BkTxCd:TransactionCode ComssnWvrInd?:- AddtlInfInd?:- AmtDtls?:- Chrgs*:- TechInptChanl?:- Intrst*:- NtryDtls*:EntryDetails AddtlNtryInf?:Max500Text`;
const partyOf = `PartyChoice = Nm?:Max140Text PstlAdr?:Address Id?:PartyId CtryOfRes?:- CtctDtls?:-`;

const formerTypes: Readonly<Record<CamtVersion, string>> = {
  '02': `
${entryOf('EntryStatus')}
${partyOf}
Institution = BIC?:BIC ClrSysMmbId?:- Nm?:- PstlAdr?:- Othr?:-
Transaction = Refs?:References AmtDtls?:AmountDetails Avlbty*:- BkTxCd?:TransactionCode Chrgs*:- Intrst*:- RltdPties?:Parties RltdAgts?:Agents Purp?:Code RltdRmtInf*:- RmtInf?:Remittance RltdDts?:Dates RltdPric?:- RltdQties*:- FinInstrmId?:- Tax?:- RtrInf?:Return CorpActn?:- SfkpgAcct?:- AddtlTxInf?:Max500Text
AmountDetails = InstdAmt?:AmountDetail TxAmt?:AmountDetail CntrValAmt?:- AnncdPstngAmt?:- PrtryAmt*:-`,
  '04': `
${entryOf('EntryStatus')}
${partyOf}
Institution = BICFI?:BIC ClrSysMmbId?:- Nm?:- PstlAdr?:- Othr?:-
Transaction = Refs?:References Amt:Amount CdtDbtInd:CreditDebit AmtDtls?:AmountDetails Avlbty*:- BkTxCd?:TransactionCode Chrgs?:- Intrst?:- RltdPties?:Parties RltdAgts?:Agents Purp?:Code RltdRmtInf*:- RmtInf?:Remittance RltdDts?:Dates RltdPric?:- RltdQties*:- FinInstrmId?:- Tax?:- RtrInf?:Return CorpActn?:- SfkpgAcct?:- CshDpst*:- CardTx?:- AddtlTxInf?:Max500Text SplmtryData*:-`,
  '08': '',
};

const text = (most: number) => new RegExp(`^[\\s\\S]{1,${most}}$`, 'u');
const simpleTypes: Readonly<Record<string, RegExp>> = {
  Max4Text: text(4),
  Max34Text: text(34),
  Max35Text: text(35),
  Max70Text: text(70),
  Max105Text: text(105),
  Max140Text: text(140),
  Max500Text: text(500),
  Max15NumericText: /^\d{1,15}$/,
  Number: /^\d{1,18}$/,
  Decimal: /^(?=(?:\D*\d){1,18}\D*$)\d+(?:\.\d{1,17})?$/,
  Amount: /^(?=(?:\D*\d){1,18}\D*$)\d+(?:\.\d{1,5})?$/,
  Currency: /^[A-Z]{3}$/,
  CreditDebit: /^(?:CRDT|DBIT)$/,
  EntryStatus: /^(?:BOOK|INFO|PDNG)$/,
  CopyDuplicate: /^(?:CODU|COPY|DUPL)$/,
  DocumentType: /^(?:RADM|RPIN|FXDR|DISP|PUOR|SCOR)$/,
  IBAN: /^[A-Z]{2}\d{2}[a-zA-Z\d]{1,30}$/,
  BIC: /^[A-Z\d]{4}[A-Z]{2}[A-Z\d]{2}(?:[A-Z\d]{3})?$/,
  ISODate: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  ISODateTime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/,
};

interface Particle {
  readonly name: string;
  readonly type: string;
  readonly least: number;
  readonly most: number;
}

interface ComplexType {
  readonly isChoice: boolean;
  readonly particles: readonly Particle[];
}

function typesOf(version: CamtVersion): ReadonlyMap<string, ComplexType> {
  const lines = (complexTypes + formerTypes[version]).split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line): [string, ComplexType] => {
      const [name = '', sign, ...rest] = line.split(' ');
      return [name, { isChoice: sign === '|', particles: rest.map(parseParticle) }];
    }),
  );
}

function parseParticle(word: string): Particle {
  const [, name = '', sign = '', most = '', type = ''] =
    /^(\w+)([?*+]?)(\d*):(.+)$/.exec(word) ?? [];
  const isMany = sign === '*' || sign === '+';
  return {
    ...{ name, type, least: sign === '?' || sign === '*' ? 0 : 1 },
    most: isMany ? Number(most) || Number.POSITIVE_INFINITY : 1,
  };
}

type Parsed = Readonly<Record<string, unknown>>;
const parser = new XMLParser({
  ...{ preserveOrder: true, ignoreAttributes: false, attributeNamePrefix: '' },
  ...{ parseTagValue: false, trimValues: false, ignoreDeclaration: true },
});

/**
 * Returns what in a message is against the schema of a version, with its path; nothing if it is
 * valid.
 */
export function camt053Faults(xml: string, version: CamtVersion = '08'): string[] {
  const [root] = (parser.parse(xml) as Parsed[]).filter((node) => 'Document' in node);
  const attributes = root?.[':@'] as Parsed | undefined;
  if (attributes?.['xmlns'] !== `urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}`)
    return ['namespace'];
  const content = root?.['Document'] as Parsed[];
  return faultsOf(content, 'Document', 'Document', typesOf(version), attributes);
}

function faultsOf(
  content: readonly Parsed[],
  type: string,
  path: string,
  types: ReadonlyMap<string, ComplexType>,
  attributes: Parsed = {},
): string[] {
  const simple = simpleTypes[type];
  if (simple !== undefined) {
    const value = content.map((node) => String(node['#text'] ?? '')).join('');
    const currency = type !== 'Amount' || /^[A-Z]{3}$/.test(String(attributes['Ccy']));
    return simple.test(value) && currency ? [] : [`${path}: "${value}" is no ${type}`];
  }
  const complex = types.get(type);
  if (complex === undefined) return [`${path}: not expected`];
  const elements = content
    .filter((node) => !('#text' in node))
    .map((node) => {
      const name = Object.keys(node).find((key) => key !== ':@') ?? '';
      return {
        name,
        content: node[name] as Parsed[],
        attributes: node[':@'] as Parsed | undefined,
      };
    });
  const { particles, isChoice } = complex;
  const faults: string[] = [];
  const order = elements.map(({ name }) =>
    particles.findIndex((particle) => particle.name === name),
  );
  if (order.some((place, index) => place < (order[index - 1] ?? 0))) faults.push(`${path}: order`);
  if (isChoice && elements.length !== 1) faults.push(`${path}: one of a choice`);
  for (const { name, least, most } of particles) {
    const count = elements.filter((element) => element.name === name).length;
    if (count > most || (count < least && !isChoice))
      faults.push(`${path}/${name}: ${count} times`);
  }
  for (const element of elements) {
    const particle = particles.find(({ name }) => name === element.name);
    const place = `${path}/${element.name}`;
    const type = particle?.type ?? '';
    faults.push(...faultsOf(element.content, type, place, types, element.attributes));
  }
  return faults;
}
