// The same test, with more rounds.
import './evidence-property.test.js';
