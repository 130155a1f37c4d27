import { testCommandsAndRequests } from './scenarios/commands-and-requests.js';
import { testErrors } from './scenarios/errors.js';
import { testInterruptedDemo } from './scenarios/interrupted-demo.js';
import { testMandatesAndFiles } from './scenarios/mandates-and-files.js';
import { testOtherFirms } from './scenarios/other-firms.js';
import { testRotatedKey } from './scenarios/rotated-key.js';
import { shareSandbox } from './scenarios/scenario-sandbox.js';
import { testTime } from './scenarios/time.js';
import { testEnds, testWholeDemo } from './scenarios/whole-demo.js';

// One file, because it takes many seconds of CPU time to create the firms of the demo.
shareSandbox();
testWholeDemo();
testErrors();
testMandatesAndFiles();
testOtherFirms();
testInterruptedDemo();
testTime();
testCommandsAndRequests();
testRotatedKey();
testEnds();
