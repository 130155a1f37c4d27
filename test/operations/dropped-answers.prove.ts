// The same test, with many more calls.
import './dropped-answers.test.js';
