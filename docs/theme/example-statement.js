/**
 * A statement of account with a transfer, a direct debit, wages and a card payment. All is
 * invented.
 */
export const exampleStatement = [
  '0000004022609605        EXAMPLE   VOORBEELD NV              GKCCBEBB   00403019261 00000                                       2',
  '12014BE71096123456769                  EUR0000000001000000020226VOORBEELD NV              Zichtrekening                      014',
  '2100010000REF-1                0000000000125500030226001500001101090933755493                                      03022601401 0',
  '2200010000                                                                                        TRIOBEBB                   1 0',
  '2300010000BE68539007547034                  EURBAKKERIJ DE KORST BV                                                          0 1',
  '3100010001REF-1                001500001001BAKKERIJ DE KORST BV                                                              1 0',
  '3200010001KERKSTRAAT 12                      9000 GENT                                                                       0 0',
  '2100020000REF-2                1000000000012100030226005010001127030226110BE69ZZZ0403019261                  MANDAA03022601401 0',
  '2200020000T-2024-77                    FACTUUR 2026/0015 VAN 15E2E-77                             BPOTBEB1                   1 0',
  '2300020000BE54000000000097                  EURENERGIE NV                         /01/2026 KLANT 4711                        0 0',
  '2100030000REF-3                1000000003000000030226101050000LONEN JANUARI 2026                                   03022601411 0',
  '2200030000                                                     LONEN-202601                                                  0 0',
  '2100030001REF-3-1              1000000001000000030226501050000LOON 01/2026                                         03022601401 0',
  '2200030001                                                     LOON-1                             GKCCBEBB           SALA    1 0',
  '2300030001BE71096123456769                  EURWERKNEMER EEN                                                                 0 0',
  '2100030002REF-3-2              1000000002000000030226501050000LOON 01/2026                                         03022601411 0',
  '2200030002                                                     LOON-2                             ABNANL2A           SALA    1 0',
  '2300030002NL91ABNA0417164300                EURWERKNEMER TWEE                                                                0 0',
  '2100040000REF-4                10000000000601200302260040300011136703000000001   100471100012302022614351STATION   03022601401 0',
  '2200040000      NAMUR     000000000060120000100000000EUR0352001                                                              1 0',
  '2300040000                                                                        01708                                      0 0',
  '8014BE71096123456769                  EUR1000000001946720030226                                                                1',
  '4 00010000                      Vanaf 1 maart 2026 wijzigen onze algemene voorwaarden.                                         0',
  '9               000021000000003072220000000000125500                                                                           2',
];
