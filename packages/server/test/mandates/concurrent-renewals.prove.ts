// The same test, with more rounds.
import './concurrent-renewals.test.js';
