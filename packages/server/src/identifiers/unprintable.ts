export { hasUnprintable, replaceUnprintable } from '@adx/command/unprintable';
