/** The version of the command. A release changes it. */
export const version = '1.0.0';
