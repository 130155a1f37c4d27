import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plainConfig } from '../src/config.js';
import { loadSpec } from '../src/render.js';
import { repository } from './support/temporary-repository.js';

const pets = readFileSync(join(repository, 'codegen/test/specs/pets.yaml'), 'utf8');

type Edit = readonly [from: string | RegExp, to: string];

function edited(...edits: readonly Edit[]): string {
  return edits.reduce((text, [from, to]) => {
    const changed = text.replace(from, () => to);
    if (changed === text) throw new Error(`The spec has no ${from}`);
    return changed;
  }, pets);
}

async function findingsOf(text: string): Promise<string[]> {
  const outcome = await loadSpec(text, { config: plainConfig });
  if (outcome.ok) return [];
  const { findings } = outcome;
  return findings.map((each) => `${each.line}:${each.column} ${each.rule} ${each.message}`);
}

/** Returns the edit that replaces the summary of the first operation. */
const summary = (text: string): Edit => ['summary: List pets', text];
const owner = (reference: string): Edit => ["'#/components/schemas/Owner'", reference];
const pattern = (text: string): Edit => ['^[A-Za-z][a-z -]*$', text];
const quoted = (reason: string) => [`17:16 yaml Put this text in quotes, because it ${reason}.`];
const resolved = 'Remove its lines <<<<<<<, ======= and >>>>>>>.';
const refersTo = (name: string): Edit => [
  /(?<= {4}Pet:\n {6})allOf:\n.*\n/,
  `oneOf:\n        - $ref: '#/components/schemas/${name}'\n`,
];

/** None or one mistake each, and everything that is reported of it. */
const mistakes: Readonly<Record<string, readonly [edits: readonly Edit[], findings: string[]]>> = {
  none: [[], []],
  'a version without quotes': [
    [['3.1.0', '3.0']],
    ['2:10 openapi This is not OpenAPI 3.1 but 3.0; --upgrade rewrites it.'],
  ],
  'a version that is too new': [
    [['3.1.0', '3.2.0']],
    ['2:10 openapi This is not OpenAPI 3.1 but 3.2; write 3.1.0, and leave out what only 3.2 has.'],
  ],
  'a boolean that is the name of a method': [
    [summary('deprecated: constructor')],
    ['17:19 openapi deprecated must be boolean.'],
  ],
  'a tab in the indentation': [
    [['      summary', '\t\t\tsummary']],
    ['17:1 yaml This line is indented with a tab. Use spaces.'],
  ],
  'a no-break space in the indentation': [
    [['      summary', '\u00a0     summary']],
    ['17:1 yaml This line is indented with the character U+00A0. Use spaces.'],
  ],
  'a merge conflict': [
    [[/ {6}summary.*\n/, '<<<<<<< HEAD\n      summary: A\n=======\n      summary: B\n>>>>>>> b\n']],
    [`17:1 yaml A merge conflict is not resolved here. ${resolved}`],
  ],
  'a colon in a text': [[summary('summary: Note: pets')], quoted('contains a colon')],
  'a text that begins with @': [[summary('summary: @pets')], quoted('begins with @')],
  'a text that begins with *': [[summary('summary: *All* pets')], quoted('begins with *')],
  'a text that begins with %': [[summary('summary: %pets')], quoted('begins with %')],
  'a text that begins with a backtick': [[summary('summary: `pets`')], quoted('begins with `')],
  'a text that begins with !': [[summary('summary: !pets')], quoted('begins with !')],
  'a text that begins with [': [[summary('summary: [new] pets')], quoted('begins with [')],
  'a text that begins with {': [[summary('summary: {id} of pets')], quoted('begins with {')],
  'a text that begins with >': [[summary('summary: > 5 pets')], quoted('begins with >')],
  'a text that begins with a dash': [[summary('summary: - pets')], quoted('begins with -')],
  'a text that ends with a colon': [[summary('summary: List pets:')], quoted('contains a colon')],
  'a comma that is missing between brackets': [
    [['[pets]', '[{ a: 1 } { b: 2 }]']],
    ['18:23 yaml A comma or a quote is missing before this.'],
  ],
  'an item of a list without its space': [
    [["- $ref: '#/components/parameters/limit'", "-$ref: '#/components/parameters/limit'"]],
    ['25:9 yaml An item of a list begins with a dash and a space.'],
  ],
  'a quote in a text in quotes': [
    [summary("summary: 'The pet's name'")],
    ["17:16 yaml The text does not end at the quote that closes it. Write a ' in it as ''."],
  ],
  'a backslash in double quotes': [
    [pattern('"^\\d+$"')],
    ['122:22 yaml Invalid escape sequence \\d. Write \\\\ for a backslash, or use single quotes.'],
  ],
  'an open quote': [[summary('summary: "List pets')], ['17:16 yaml This " is not closed.']],
  'an open bracket': [[['[pets]', '[pets']], ['18:13 yaml This [ is not closed.']],
  'a key that stands twice': [
    [summary('summary: A\n      summary: B')],
    ['18:7 yaml summary stands twice in this mapping. Remove or rename one.'],
  ],
  'no space behind the colon': [
    [summary('summary:List pets')],
    ['17:7 yaml A key ends with a colon and a space. There is none in this line.'],
  ],
  'an indentation that is one too small': [
    [['      summary', '     summary']],
    [
      '17:6 yaml The indentation fits no line above. All members of a mapping begin in the same column.',
    ],
  ],
  'an indentation that is one too large': [
    [['      summary', '       summary']],
    ['17:8 yaml This line is indented deeper than the one above, which has a value already.'],
  ],
  'a second document': [
    [['components:', '---\ncomponents:']],
    ['86:1 yaml A second document begins here. Everything has to be in one.'],
  ],
  'an alias without an anchor': [
    [summary('summary: *later\n      description: *later')],
    [
      '17:16 yaml There is no anchor &later before this. A text that begins with * needs quotes. The same is at one more place.',
    ],
  ],
  'a merge key': [
    [summary('<<: { summary: List }')],
    ['17:7 yaml YAML 1.2 has no merge keys. Write the members here, or use allOf.'],
  ],
  'a reference without quotes': [
    [owner('#/components/schemas/Owner')],
    [
      "142:11 yaml A # begins a comment. Put the reference in quotes: '#/components/schemas/Owner'.",
    ],
  ],
  'yes for true': [
    [['operationId: delete_pet', 'operationId: delete_pet\n      deprecated: yes']],
    ['82:19 openapi deprecated must be boolean; write true, without quotes.'],
  ],
  'yes where only true is allowed': [
    [['required: true\n        schema', 'required: yes\n        schema']],
    ['65:19 openapi required must be boolean; write true, without quotes.'],
  ],
  'an item of a list that is not a text': [
    [['tags: [pets]', 'tags: [123]']],
    ['18:14 openapi tags 0 must be string, so write it in quotes.'],
  ],
  'misspelt members of an operation, one of which stands there too': [
    [summary('summary: A\n      sumary: B\n      descripton: C')],
    [
      '18:7 openapi sumary is not allowed here by OpenAPI 3.1.',
      '19:7 openapi descripton is not allowed here by OpenAPI 3.1; did you mean description?',
    ],
  ],
  'a misspelt method': [
    [['    delete:', '    delet:']],
    ['80:5 openapi delet is not allowed here by OpenAPI 3.1; did you mean delete?'],
  ],
  'a path without its slash': [
    [['  /pets/{', '  pets/{']],
    ['61:3 openapi pets/{pet_id} is not allowed here by OpenAPI 3.1; did you mean /pets/{pet_id}?'],
  ],
  'a parameter without a schema': [
    [[/ {10}schema:\n {12}type: string\n {12}format: date/, '          type: string']],
    ["20:11 openapi parameters 0 must have required property 'schema'."],
  ],
  'a body without a media type': [
    [[/application\/json:\n {14}schema:\n {16}(?=\$ref.*\n {8}'404')/, 'schema:\n              ']],
    ['75:13 openapi schema is not a media type, such as application/json.'],
  ],
  'a component with a space in its name': [
    [['    Owner:', '    Pet owner:'], owner("'#/components/schemas/Pet owner'")],
    ['152:5 openapi Pet owner cannot be a name here: it must match pattern "^[a-zA-Z0-9._-]+$".'],
  ],
  'a component that is gone, but used often': [
    [['    Problem:\n      description', '    Failure:\n      description']],
    ['39:17 reference #/components/responses/Problem leads nowhere. The same is at 2 more places.'],
  ],
  'a component with a letter too much, but used often': [
    [['    Pet:', '    Pett:']],
    [
      '34:25 reference #/components/schemas/Pet leads nowhere; did you mean Pett? The same is at 3 more places.',
    ],
  ],
  'a reference into another version of OpenAPI': [
    [owner("'#/definitions/Owner'")],
    [
      '142:17 reference #/definitions/Owner leads nowhere; did you mean #/components/schemas/Owner?',
    ],
  ],
  'a reference without its slash': [
    [owner("'#components/schemas/Owner'")],
    [
      '142:17 reference #components/schemas/Owner leads nowhere; did you mean #/components/schemas/Owner?',
    ],
  ],
  'a reference by the name alone': [
    [owner('Owner')],
    ['142:17 reference Owner cannot be read; did you mean #/components/schemas/Owner?'],
  ],
  'a reference to itself': [
    [['    Owner:\n', "    Owner:\n      $ref: '#/components/schemas/Owner'\n"]],
    ['153:13 reference #/components/schemas/Owner refers to itself.'],
  ],
  'a misspelt parameter of a path with several operations': [
    [['name: pet_id', 'name: petid']],
    ['63:15 parameters /pets/{pet_id} has no {petid}, which is declared; did you mean {pet_id}?'],
  ],
  'a reference to a schema in place of a response': [
    [["'#/components/responses/Problem'", "'#/components/schemas/Problem'"]],
    [
      '39:17 reference #/components/schemas/Problem is in components/schemas, but must be in components/responses; did you mean #/components/responses/Problem?',
    ],
  ],
  'a reference to a schema in place of a body': [
    [[/requestBody:\n(?: {8}.*\n)+/, "requestBody: { $ref: '#/components/schemas/NewPet' }\n"]],
    [
      '43:28 reference #/components/schemas/NewPet is in components/schemas, but must be in components/requestBodies.',
    ],
  ],
  'a null without quotes among types': [
    [['type: string\n          format: email', 'type: [string, null]']],
    [
      '156:26 schema 1 must be equal to one of the allowed values: array, boolean, integer, null, number, object, string. Put null in quotes.',
    ],
  ],
  'a mapping to a schema that is gone': [
    [
      [
        '    Problem:\n      type: object',
        "    Problem:\n      discriminator: { propertyName: title, mapping: { a: '#/components/schemas/Ownr' } }\n      type: object",
      ],
    ],
    ['163:59 reference #/components/schemas/Ownr leads nowhere; did you mean Owner?'],
  ],
  'a discriminator without a property': [
    [
      [
        '    Problem:\n      type: object',
        '    Problem:\n      discriminator: title\n      type: object',
      ],
    ],
    ['163:22 schema A discriminator has the name of a property as its propertyName.'],
  ],
  'a format in place of a type': [
    [['type: string\n          format: email', 'type: date']],
    [
      '156:17 schema type must be equal to one of the allowed values: array, boolean, integer, null, number, object, string. Write type: string and format: date.',
    ],
  ],
  'a security scheme that is gone, but used often': [
    [['- token: []', '- tokn: []'], summary('security: [{ tokn: [] }]')],
    [
      '17:20 security There is no security scheme tokn; did you mean token? The same is at one more place.',
    ],
  ],
  'an enum without values that many schemas use': [
    [['enum: [BE, NL, FR]', 'enum: []']],
    [
      '127:20 schema The default cannot be valid: an empty enum, or not: {}, allows no value; name the values.',
    ],
  ],
  'a pattern with slashes around it': [
    [pattern('/^[a-z]+$/')],
    ['122:20 schema /^[a-z]+$/ matches nothing. Write it without the slashes around it.'],
  ],
  'the key of patternProperties is no pattern': [
    [['    Problem:\n      type: object', "    Problem:\n      patternProperties: { '^[': {} }"]],
    ['163:28 schema ^[ is not a regular expression: Unterminated character class.'],
  ],
  'a pattern of exponential time': [
    [pattern('(a+)+$')],
    [
      '122:20 schema (a+)+$ can take a validator forever, because a repeated part of it can match the same text in several ways. Write it so that there is one way, such as ^a+$ for ^(a+)+$.',
    ],
  ],
  'a schema that is an alternative of itself': [
    [refersTo('Pet')],
    ['143:5 schema Pet consists of itself: Pet → Pet. No value can be checked against it.'],
  ],
  'schemas that are parts of each other': [
    [[/ {4}NewPet:\n/, "    NewPet:\n      allOf: [{ $ref: '#/components/schemas/Pet' }]\n"]],
    [
      '114:5 schema NewPet consists of itself: NewPet → Pet → NewPet. No value can be checked against it.',
    ],
  ],
  'a schema that is not itself': [
    [[/ {4}NewPet:\n/, "    NewPet:\n      not: { $ref: '#/components/schemas/NewPet' }\n"]],
    [
      '114:5 schema NewPet consists of itself: NewPet → NewPet. No value can be checked against it.',
    ],
  ],
};

describe('D-42 a mistake is reported once, where it is, with its remedy', () => {
  it.each(Object.entries(mistakes))('%s', async (_name, [edits, findings]) => {
    expect(await findingsOf(edited(...edits))).toEqual(findings);
  });

  it('a # that begins a comment, a replacement character and a conflict in a text are none', async () => {
    const text = 'description: |\n    An \uFFFD, and\n    <<<<<<< HEAD\n  version';
    expect(await findingsOf(edited([/description: Pets.*\n {2}version/, text]))).toEqual([]);
  });
});
