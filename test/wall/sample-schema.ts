import { loadModule, parseSync } from 'libpg-query';
import { readFirmTables } from './firm-tables.js';
import { untiedTables } from './untied-tables.js';

const schema = `
create table firms (
  id text not null,
  name text not null
);
create table users (
  id text not null,
  firm_id text not null,
  constraint a FOREIGN KEY (firm_id) REFERENCES firms(id)
);
create table customers (
  id text not null,
  firm_id text not null,
  name text not null,
  transferred_to text,
  constraint a FOREIGN KEY (firm_id) REFERENCES firms(id),
  constraint b FOREIGN KEY (transferred_to) REFERENCES customers(id)
);
create unlogged table accounts (
  id text not null,
  customer_id text not null,
  iban text not null,
  constraint a FOREIGN KEY (customer_id) REFERENCES customers(id)
);
create table uploads (
  id text not null,
  user_id text,
  constraint a FOREIGN KEY (user_id) REFERENCES users(id)
);
create table files (
  id text not null,
  customer_id text not null,
  firm_id text not null,
  upload_id text,
  constraint a FOREIGN KEY (customer_id, firm_id) REFERENCES customers(id, firm_id),
  constraint b FOREIGN KEY (upload_id) REFERENCES uploads(id)
);
create table seen (
  user_id text not null,
  file_id text not null,
  constraint a FOREIGN KEY (user_id) REFERENCES users(id),
  constraint b FOREIGN KEY (file_id) REFERENCES files(id)
);
create table clocks (
  firm_id text not null
);
create table banks (
  id integer not null,
  iban text not null
);
`;

await loadModule();
const tables = readFirmTables(schema);

/** Returns the tables of the sample schema whose firm a statement does not name. */
export const untied = (sql: string) => untiedTables(parseSync(sql), tables);
