// The same test, with more rows, and a worker that the switch interrupts.
import './partitions.test.js';
