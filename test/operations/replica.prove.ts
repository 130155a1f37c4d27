// The same test, with many more rounds, and processes of their own.
import './replica.test.js';
