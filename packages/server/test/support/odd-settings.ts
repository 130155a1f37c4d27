/**
 * Settings of a role, a database or a server with which statements behave differently, unless the
 * service sets them.
 */
export const oddSettings: Readonly<Record<string, string>> = {
  DateStyle: 'German, DMY',
  IntervalStyle: 'sql_standard',
  TimeZone: 'Pacific/Chatham',
  bytea_output: 'escape',
  search_path: '',
  standard_conforming_strings: 'off',
  default_transaction_isolation: 'serializable',
  default_transaction_deferrable: 'on',
  statement_timeout: '100ms',
  lock_timeout: '1ms',
  idle_in_transaction_session_timeout: '1ms',
  idle_session_timeout: '1s',
  transaction_timeout: '1s',
  extra_float_digits: '-15',
  client_encoding: 'LATIN1',
  array_nulls: 'off',
  transform_null_equals: 'on',
  random_page_cost: '1000',
};
