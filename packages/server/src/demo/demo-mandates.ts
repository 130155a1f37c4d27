/**
 * What has become of the mandates of the demo's customers when the demo first starts: every status of
 * both products occurs in the first firm, most mandates are active.
 *
 * reference of the customer | its signature request | its bank accounts and payroll providers, in order
 *
 * Requests are `created` (about to be sent), `waiting`, `expired`, `declined`, `signed`, `refused` (the
 * address does not exist) or `undelivered`. Signed mandates are `waiting`, `confirmed`, `refused`,
 * `active` or `ended` (a consent that is to be renewed); `-` was never asked for.
 */
export const mandatesOfTheDemo = `
K-0001 | signed | active confirmed active
K-0002 | waiting
K-0003 | signed | active waiting
K-0004 | signed | active
K-0005 | expired
K-0006 | signed | waiting
K-0007 | signed | active active active
K-0008 | signed | active refused active waiting
K-0009 | signed | ended
K-0010 | declined
K-0011 | created
K-0013 | signed | active refused
K-0014 | waiting
K-0015 | signed | confirmed ended active
K-0016 | undelivered
K-0017 | signed | active active
K-0018 | refused
K-0019 | signed | waiting waiting
K-0020 | waiting
K-0021 | signed | active active
K-0022 | declined
K-0023 | signed | active active active
K-0024 | signed | active -
K-0025 | signed | refused
K-0026 | expired
K-0027 | waiting
K-0028 | created
K-0029 | signed | active - active
K-0030 | signed | confirmed
2001 | signed | active active
2008 | signed | waiting confirmed
2015 | waiting
2022 | signed | active
2029 | signed | active active refused
2036 | declined
2043 | signed | ended active
2050 | expired
2057 | signed | active
2064 | undelivered
`;
