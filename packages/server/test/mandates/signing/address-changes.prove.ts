// The same test, with more rounds.
import './address-sequence.test.js';
