import { test } from 'vitest';
import { killDeliveries } from './killed-deliveries.js';

test.each(['before', 'after'] as const)(
  'D-28 killed %s any call of storage or database, deliveries lose no object and leave none behind',
  (moment) => killDeliveries(moment),
);
