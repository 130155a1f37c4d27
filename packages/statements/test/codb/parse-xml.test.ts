import { describe, expect, test } from 'vitest';
import { parseXml, type XmlElement } from '../../src/codb/xml/parse-xml.js';
import { XmlFault, xmlLimits } from '../../src/codb/xml/xml-fault.js';

function shape({ name, attributes, text, children }: XmlElement): unknown {
  return [
    name,
    Object.fromEntries(attributes.map((attribute) => [attribute.name, attribute.value])),
    text,
    ...children.map(shape),
  ];
}

/** Returns the fault for which a text is refused. */
function faultOf(text: string): unknown {
  try {
    parseXml(text);
  } catch (error) {
    if (error instanceof XmlFault) return [error.code, error.offset, error.message];
    throw error;
  }
  return undefined;
}

describe('CODB: XML 1.0 is read', () => {
  test.each<[string, string, unknown]>([
    ['2.1: an empty element', '<a/>', ['a', {}, '']],
    [
      '2.1: elements within elements',
      '<a><b><c/></b><b/></a>',
      ['a', {}, '', ['b', {}, '', ['c', {}, '']], ['b', {}, '']],
    ],
    ['2.1: white space around the root', '\n <a/>\r\n\t ', ['a', {}, '']],
    ['2.3: names of letters, digits and signs', '<Aé_-.9·/>', ['Aé_-.9·', {}, '']],
    ['2.3: the longest name', `<${'a'.repeat(100)}/>`, ['a'.repeat(100), {}, '']],
    ['2.4: text, without the white space around it', '<a>\n  b c\t</a>', ['a', {}, 'b c']],
    ['2.4: text around elements', '<a>b<c/>d</a>', ['a', {}, 'bd', ['c', {}, '']]],
    ['2.5: comments', '<!--x--><a>b<!-- < & > - --><!---->c</a><!--y-->', ['a', {}, 'bc']],
    ['2.6: processing instructions', '<?x?><a>b<?y z?>c</a><?xml-style ?>', ['a', {}, 'bc']],
    ['2.7: CDATA', '<a>b<![CDATA[<c>&amp;]]]]><![CDATA[>]]></a>', ['a', {}, 'b<c>&amp;]]>']],
    [
      '2.11: line ends as line feeds',
      '<a>b\r\nc\rd\ne<![CDATA[f\r\ng]]></a>',
      ['a', {}, 'b\nc\nd\nef\ng'],
    ],
    ['3.1: white space in tags', '<a \t\r\n><b\n/></a \t>', ['a', {}, '', ['b', {}, '']]],
    ['3.1: attributes in either quotes', `<a b="c'd" e='f"g'/>`, ['a', { b: "c'd", e: 'f"g' }, '']],
    ['3.1: white space around =', '<a b =\n"c"\te= "d" />', ['a', { b: 'c', e: 'd' }, '']],
    ['3.1: an empty attribute', '<a b=""/>', ['a', { b: '' }, '']],
    ['3.1: > in an attribute', '<a b=">"/>', ['a', { b: '>' }, '']],
    ['3.3.3: references in attributes', '<a b="&lt;&#65;"/>', ['a', { b: '<A' }, '']],
    [
      '4.1: decimal and hexadecimal references',
      '<a>&#65;&#x42;&#x6a;&#x6A;&#x1F642;</a>',
      ['a', {}, 'ABjj🙂'],
    ],
    [
      '4.1: the last character of Unicode',
      '<a>&#x10FFFF;&#1114111;</a>',
      ['a', {}, '\u{10FFFF}\u{10FFFF}'],
    ],
    ['4.1: a carriage return by reference stays', '<a>b&#13;c</a>', ['a', {}, 'b\rc']],
    ['4.6: the five predefined entities', '<a>&amp;&lt;&gt;&quot;&apos;</a>', ['a', {}, `&<>"'`]],
    [
      'names without their prefix',
      '<p:a q:b="c"><p:d></p:d></p:a>',
      ['a', { b: 'c' }, '', ['d', {}, '']],
    ],
    [
      'attributes without those of namespaces and schemas',
      '<a xmlns="u" xmlns:p="u" xsi:type="t" xml:lang="fr" xmlnsx="1" p:xml="2"/>',
      ['a', { xmlnsx: '1', xml: '2' }, ''],
    ],
  ])('%s', (_, text, expected) => {
    expect(shape(parseXml(text))).toEqual(expected);
  });

  test.each([
    '<?xml version="1.0"?>',
    "<?xml version='1.0'?>",
    '<?xml version="1.1" ?>',
    '<?xml\tversion = "1.0"\nencoding = "UTF-8" standalone = "yes" ?>',
    `<?xml version="1.0" encoding='ISO-8859-1' standalone='no'?>`,
    '<?xml version="1.0" standalone="no"?>',
    '<?xml version="1.0" encoding="8859-1"?>',
  ])('2.8: after the declaration %s', (declaration) => {
    expect(shape(parseXml(`${declaration}\n<a/>`))).toEqual(['a', {}, '']);
  });

  test('each element has the offsets of its start, its content and its end', () => {
    const text = '<a>\n <b c="d">e</b ><f/></a>';
    const root = parseXml(text);
    const places = [root, ...root.children].map(({ start, contentStart, end }) => [
      text.slice(start, contentStart),
      text.slice(contentStart, end),
    ]);
    expect(places).toEqual([
      ['<a>', '\n <b c="d">e</b ><f/></a>'],
      ['<b c="d">', 'e</b >'],
      ['<f/>', ''],
    ]);
  });
});

const depth = xmlLimits.depth;

describe('CODB: text that is not XML is refused, with its position', () => {
  test.each<[string, number, string]>([
    ['', 0, 'there is no root'],
    [' \n', 0, 'there is no root'],
    ['<!-- only -->', 0, 'there is no root'],
    ['a', 0, 'there is text outside the root'],
    [' \nx<a/>', 2, 'there is text outside the root'],
    ['<a/> \tx', 6, 'there is text outside the root'],
    ['<a/><b/>', 4, 'there are two roots'],
    ['<a></a><a></a>', 7, 'there are two roots'],
    ['<a>', 0, 'the element is not closed'],
    ['<a><b></b>', 0, 'the element is not closed'],
    ['<a><b>', 3, 'the element is not closed'],
    ['<a></b>', 3, 'expected </a>'],
    ['<a><b></a></b>', 6, 'expected </b>'],
    ['<p:a></a>', 5, 'expected </p:a>'],
    ['<a></ a>', 3, 'expected </a>'],
    ['<a></a b>', 3, 'expected </a>'],
    ['<a></a', 3, 'expected </a>'],
    ['</a>', 0, 'expected the end of the file'],
    ['<a/></a>', 4, 'expected the end of the file'],
    ['<a>b]]>c</a>', 4, 'text may not contain ]]>'],
    ['<a>b & c</a>', 5, 'an ampersand must be written as &amp;'],
    ['<a>&;</a>', 3, 'an ampersand must be written as &amp;'],
    ['<a>&amp</a>', 3, 'an ampersand must be written as &amp;'],
    ['<a>&#0;</a>', 3, '&#0; is not a valid character'],
    ['<a>b&#x1F;</a>', 4, '&#x1F; is not a valid character'],
    ['<a>&#xD800;</a>', 3, '&#xD800; is not a valid character'],
    ['<a>&#xFFFE;</a>', 3, '&#xFFFE; is not a valid character'],
    ['<a>&#x110000;</a>', 3, '&#x110000; is not a valid character'],
    ['<a>&#1114112;</a>', 3, '&#1114112; is not a valid character'],
    ['<a>&#X41;</a>', 3, '&#X41; is not a valid character'],
    ['<a>&#;</a>', 3, '&#; is not a valid character'],
    ['<a>&#x;</a>', 3, '&#x; is not a valid character'],
    ['<a>&#4a;</a>', 3, '&#4a; is not a valid character'],
    ['<a>&#xg;</a>', 3, '&#xg; is not a valid character'],
    ['<a b="&#1;"/>', 6, '&#1; is not a valid character'],
    ['<a>b\u0001</a>', 4, 'XML does not allow this character'],
    ['<a>\uFFFE</a>', 3, 'XML does not allow this character'],
    ['<a>\uD83D</a>', 3, 'XML does not allow this character'],
    ['<', 0, 'this is not a start tag'],
    ['< a/>', 0, 'this is not a start tag'],
    ['<1/>', 0, 'this is not a start tag'],
    ['<-a/>', 0, 'this is not a start tag'],
    ['<a:b:c/>', 0, 'this is not a start tag'],
    ['<:a/>', 0, 'this is not a start tag'],
    ['<a:/>', 0, 'this is not a start tag'],
    [`<${'a'.repeat(101)}/>`, 0, 'this is not a start tag'],
    ['<a', 0, 'this is not a start tag'],
    ['<a ', 2, 'the tag a is not closed'],
    ['<a / >', 2, 'the tag a is not closed'],
    ['<a b/>', 2, 'the tag a is not closed'],
    ['<a b=c/>', 2, 'the tag a is not closed'],
    ['<a b="<"/>', 2, 'the tag a is not closed'],
    [`<a b='<'/>`, 2, 'the tag a is not closed'],
    ['<a b="c"d="e"/>', 8, 'the tag a is not closed'],
    ['<a\u00A0b="c"/>', 0, 'this is not a start tag'],
    ['<a b="c" b="d"/>', 8, 'the attribute b is repeated'],
    ['<a><!-- b</a>', 3, 'the comment is not closed or contains --'],
    ['<a><!-- b -- c --></a>', 3, 'the comment is not closed or contains --'],
    ['<a><!--->', 3, 'the comment is not closed or contains --'],
    ['<a><![CDATA[b]]</a>', 3, 'the CDATA section is not closed'],
    ['<![CDATA[b]]><a/>', 0, 'this markup is not XML'],
    ['<a><!b></a>', 3, 'this markup is not XML'],
    ['<a><?b</a>', 3, 'this markup is not XML'],
    ['<a><? b?></a>', 3, 'this markup is not XML'],
    ['<a><?b:c?></a>', 3, 'this markup is not XML'],
    ['<?xml version="1.0" encoding="8859\'?><a/>', 0, 'this markup is not XML'],
    ['\uFEFF<a/>', 0, 'there is text outside the root'],
    ['<a></a\uFEFF>', 3, 'expected </a>'],
    ['<a>&b &amp;</a>', 3, 'an ampersand must be written as &amp;'],
    ['<a b="&c"/>', 6, 'an ampersand must be written as &amp;'],
    ['<a b="c" d:="&e;"/>', 8, 'the tag a is not closed'],
    ['<a><?xml version="1.0"?></a>', 3, 'this markup is not XML'],
    [' <?xml version="1.0"?><a/>', 1, 'this markup is not XML'],
    ['<?xml?><a/>', 0, 'this markup is not XML'],
    ['<?XML version="1.0"?><a/>', 0, 'this markup is not XML'],
    ['<?xml version="2.0"?><a/>', 0, 'this markup is not XML'],
    ['<?xml version="1.0\'?><a/>', 0, 'this markup is not XML'],
    ['<?xml version="1.0"encoding="UTF-8"?><a/>', 0, 'this markup is not XML'],
    ['<?xml version="1.0" standalone="maybe"?><a/>', 0, 'this markup is not XML'],
    ['<?xml encoding="UTF-8"?><a/>', 0, 'this markup is not XML'],
    ['<!doctype a><a/>', 0, 'this markup is not XML'],
  ])('%j', (text, offset, message) => {
    expect(faultOf(text)).toEqual(['malformedXml', offset, message]);
  });

  test.each<[string, string, unknown]>([
    ['a document type', ' <!DOCTYPE a><a/>', ['forbiddenDoctype', 1, '']],
    ['an entity', '<a>b&c;</a>', ['forbiddenEntity', 4, '&c;']],
    ['an entity in an attribute', '<a b="c&d;"/>', ['forbiddenEntity', 7, '&d;']],
    ['an entity in capitals', '<a>&AMP;</a>', ['forbiddenEntity', 3, '&AMP;']],
    ['the deepest allowed element', `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`, undefined],
    [
      'an element that is too deep',
      `${'<a>'.repeat(depth)}<b>`,
      ['nestedTooDeep', 3 * depth, 'more than 16'],
    ],
    [
      'an empty element that is too deep',
      `${'<a>'.repeat(depth)}<b/>${'</a>'.repeat(depth)}`,
      ['nestedTooDeep', 3 * depth, 'more than 16'],
    ],
    ['the longest tag there may be', `<a b="${'c'.repeat(4096 - 9)}"/>`, undefined],
    [
      'a longer tag',
      `<z><a b="${'c'.repeat(4096 - 8)}"/></z>`,
      ['tagTooLong', 3, 'more than 4096 characters'],
    ],
    [
      'white space that makes a tag too long',
      `<a b=""${' '.repeat(4096)}/>`,
      ['tagTooLong', 0, 'more than 4096 characters'],
    ],
    ['as many elements as there may be', `<a>${'<b/>'.repeat(499_999)}</a>`, undefined],
    [
      'one element more',
      `<a>${'<b/>'.repeat(500_000)}</a>`,
      ['tooManyElements', 3 + 4 * 499_999, 'more than 500000'],
    ],
  ])('%s', (_, text, fault) => {
    expect(faultOf(text)).toEqual(fault);
  });
});
