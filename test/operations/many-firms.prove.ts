// The same test with 10,000 firms, behind PgBouncer in transaction mode.
import './many-firms.test.js';
