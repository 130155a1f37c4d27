import { test } from 'vitest';
import { killDeliveries } from './killed-deliveries.js';

test.each(['before', 'after'] as const)(
  'D-28 killed %s any call of the storage or a transaction, deliveries lose no object and leave no unused one',
  (moment) =>
    killDeliveries(
      moment,
      Array.from({ length: 100 }, (_, i) => i + 1),
    ),
);
