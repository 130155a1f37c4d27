import { expect, test } from 'vitest';
import { redeliverAtEveryCall } from './killed/redeliver.js';
import { setUpUploads } from './set-up-uploads.js';

test.each(['before', 'after'] as const)(
  '§9 D-29 killed %s any call, 5 statements that a former version listed are not listed again',
  async (moment) => {
    await expect(redeliverAtEveryCall(await setUpUploads(), moment, 5)).resolves.toBeGreaterThan(8);
  },
);
