import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../../testing/service.ts'
import { noLibrary, rendering } from '../../fixture.ts'
import type { Print } from '../../rendering.ts'
import { TemplateError } from '../../rendering.ts'
import { compileTemplate } from '../compile.ts'

const service = await testService()
const { texts, render } = rendering(service)
const LOAD = '{% load report barcode inventree_extras %}'
const text = async (source: string, print: Partial<Print> = {}) => (await texts(LOAD + source, print))[0]
const refused = (source: string, message: RegExp, print: Partial<Print> = {}) =>
  assert.rejects(texts(LOAD + source, print), (error: Error) => {
    assert.ok(error instanceof TemplateError, String(error.stack))
    assert.match(error.message, message)
    return true
  })

const extra = () => ({
  evil: '<b>"&\'',
  empty: '',
  none: null,
  zero: 0,
  half: 2.5,
  names: ['a', 'b', 'c'],
  colours: { red: 1, blue: 2 },
  rows: [
    { pk: 1, kind: 'x', size: 3 },
    { pk: 2, kind: 'x', size: 1 },
    { pk: 3, kind: 'y', size: 2 },
  ],
  nested: { deep: { list: [{ name: 'found' }] } },
  day: '2026-03-02',
  moment: '2026-03-02T15:05:00Z',
  price: { pk: 1, price: '1234.500000', price_currency: 'EUR', quantity: 2 },
})

/** What a template puts out of each of these. */
async function gives(expected: Record<string, string>, print: Partial<Print> = {}): Promise<void> {
  for (const [source, written] of Object.entries(expected)) assert.equal(await text(source, { extra, ...print }), written, source)
}

describe('tags of a template in the syntax of Django', () => {
  it('choose by conditions', () =>
    gives({
      '{% if empty %}a{% elif names %}b{% else %}c{% endif %}': 'b',
      '{% if none %}a{% elif zero %}b{% else %}c{% endif %}': 'c',
      '{% if not empty and names or zero %}a{% endif %}': 'a',
      '{% if "b" in names and "z" not in names %}a{% endif %}': 'a',
      '{% if "ell" in "hello" %}a{% endif %}': 'a',
      '{% if names|length >= 3 and half > 2.4 and half != 3 %}a{% endif %}': 'a',
      '{% if none is None and empty is not None %}a{% endif %}': 'a',
      '{% if zero == 0 and zero == False %}a{% endif %}': 'a',
      '{% if missing.field.more or missing > 3 %}a{% else %}b{% endif %}': 'b',
      '{% if "<b>" == "<b>" and not not names %}a{% endif %}': 'a',
    }))

  it('go through lists', () =>
    gives({
      '{% for n in names %}{{ forloop.counter }}{{ forloop.counter0 }}{{ forloop.revcounter }}{{ forloop.revcounter0 }}{{ n }}{% if not forloop.last %},{% endif %}{% endfor %}':
        '1032a,2121b,3210c',
      '{% for n in names reversed %}{% if forloop.first %}!{% endif %}{{ n }}{% endfor %}': '!cba',
      '{% for n in missing %}x{% empty %}none{% endfor %}': 'none',
      '{% for a in names %}{% for b in names %}{% if b == a %}{{ forloop.parentloop.counter }}{% endif %}{% endfor %}{% endfor %}':
        '123',
      '{% for key, value in colours.items %}{{ key }}={{ value }};{% endfor %}': 'red=1;blue=2;',
      '{% for key in colours %}{{ key }} {% endfor %}': 'red blue',
      '{% for n in names %}{% cycle "odd" "even" %} {% endfor %}': 'odd even odd',
      '{% for r in rows %}{% cycle "x" "y" as c silent %}{{ c }}{% if forloop.counter == 2 %}{% resetcycle %}{% endif %}{% endfor %}':
        'xyx',
      '{% for r in rows %}{% ifchanged r.kind %}{{ r.kind }}{% else %}-{% endifchanged %}{% endfor %}': 'x-y',
      '{% for r in rows %}{% ifchanged %}{{ r.kind }}{% endifchanged %}{% endfor %}': 'xy',
      '{% regroup rows by kind as groups %}{% for g in groups %}{{ g.grouper }}{{ g.list|length }}{% endfor %}': 'x2y1',
    }))

  it('name values', () =>
    gives({
      '{% with a=1 b=names.1 %}{{ a }}{{ b }}{% endwith %}[{{ a }}]': '1b[]',
      '{% with names.0 as first %}{{ first }}{% endwith %}': 'a',
      '{% firstof empty none names.2 %}{% firstof empty "<i>" %}': 'c<i>',
      '{% define names.0 as x %}{% for n in names %}{% define n as x %}{% endfor %}{{ x }}': 'a',
      '{% to_list 1 "b" half as all %}{{ all|join:"+" }}': '1+b+2.5',
      '{% if yes|default:"x" %}{% str2bool "Yes" as yes %}{{ yes }}{% endif %}': 'True',
    }))

  it('put texts out', () =>
    gives({
      '{# not this #}{% comment "why" %}{% nothing %}{% endcomment %}x': 'x',
      '{% verbatim %}{{ names }}{% if %}{% endverbatim %}': '{{ names }}{% if %}',
      '{% spaceless %}<p> <b>a</b>\n </p>{% endspaceless %}': '<p><b>a</b></p>',
      '{% autoescape off %}{{ evil }}{% endautoescape %}{{ evil }}': '<b>"&\'&lt;b&gt;&#34;&amp;&#39;',
      '{% filter upper %}{{ evil }}x{% endfilter %}': '&LT;B&GT;&#34;&AMP;&#39;X',
      '{% templatetag openblock %}{% templatetag closevariable %}': '{%}}',
      '{% widthratio 175 200 100 %}': '88',
      '{% csrf_token %}{% localize off %}{{ half }}{% endlocalize %}{% localtime on %}{% endlocaltime %}': '2.5',
      '{% trans "Part" %}{% translate "x" as y %}{{ y }}{{ _("z") }}': 'Partxz',
      '{% blocktrans with n=names.0 trimmed %}\n  Hello\n  {{ n }}{% endblocktrans %}': 'Hello a',
      '{% blocktranslate count n=names|length %}one{% plural %}{{ n }} many{% endblocktranslate %}': '3 many',
      '{% now "Y" as year %}{{ year|length }}': '4',
    }))

  it('keep the lower part of the upper margin of a page for its header', () =>
    gives({
      '{% headroom %}margin: 2cm; margin-top: 4cm{% endheadroom %}|{{ headroom }}':
        'margin: 2cm; margin-top: 4cm\nmargin-top: 15mm;|25mm',
      '{% headroom %}margin: 10mm 1in{% endheadroom %}|{{ headroom }}': 'margin: 10mm 1in\nmargin-top: 5mm;|5mm',
      '{% headroom %}margin: auto{% endheadroom %}|{{ headroom }}': 'margin: auto\nmargin-top: 0mm;|0mm',
    }))

  it('know who prints', () =>
    gives({ '{{ user }} {{ request.user.username }} {{ user.get_full_name }}|': 'superuser superuser |' }))

  it('of the library report', () =>
    gives({
      '{% getindex names 1 %}{% getindex names 9 as x %}[{{ x }}]{% getindex names "a" %}': 'b[]',
      '{% getkey colours "blue" %}{% getkey colours "green" as x %}[{{ x }}]': '2[]',
      '{% add 1 2.5 %} {% subtract 5 half %} {% multiply half 3 %} {% divide 1 4 as q %}{{ q }}': '3.5 2.5 7.5 0.25',
      '{% render_currency price.price %} {% render_currency price.total_line_price decimal_places=3 %} {% render_currency none %}':
        '€1,234.50 €2,469.000 -',
      '{% render_currency price.price include_symbol=False max_decimal_places=0 min_decimal_places=0 %}': '1,235',
      '{% render_html_text evil bold=True heading="h2" %}': '<h2><strong>&lt;b&gt;&#34;&amp;&#39;</strong></h2>',
      '{% format_number 3.1400 %} {% format_number 3.146 decimal_places=2 %} {% format_number 7.9 integer=True leading=3 %} {% format_number "x" %}':
        '3.14 3.15 0007 x',
      '{% format_date day %} {% format_datetime moment timezone="Europe/Berlin" fmt="%d.%m.%Y %H:%M" %} {% render_date day %}':
        '2026-03-02 02.03.2026 16:05 2026-03-02',
      '{% internal_link "/part/1/" evil %}': '<a href="http://stockroom.test/part/1/">&lt;b&gt;&#34;&amp;&#39;</a>',
      '{% decimal 10.500 %} {% decimal 3 %}': '10.5 3',
      '{% default_currency %} {% settings_value "INVENTREE_DEFAULT_CURRENCY" %}': 'USD USD',
      '{% inventree_version %} {% inventree_api_version %} {% inventree_base_url %}': '0.1.0 196 http://stockroom.test',
      '{% global_settings as all %}{{ all.INVENTREE_DEFAULT_CURRENCY }}{{ all|keyvalue:"INVENTREE_DEFAULT_CURRENCY" }}': 'USDUSD',
    }))

  it('show pictures, assets and codes', async () => {
    const library = {
      ...noLibrary,
      asset: async (name: string) => (name.startsWith('logo.p') ? `report/assets/${name}` : undefined),
    }
    const pictured = () => ({ thing: { image: '/media/part_images/a.png', thumbnail: '/media/part_images/a.thumbnail.png' } })
    const at = 'https://stockroom.invalid'
    await gives(
      {
        '{% part_image thing %}': `${at}/media/part_images/a.png`,
        '{% company_image thing thumbnail=True %}': `${at}/media/part_images/a.thumbnail.png`,
        '{{ thing.image.url }}': `${at}/media/part_images/a.png`,
        '{% uploaded_image thing.image width=100 %}': `${at}/media/part_images/a.png?width=100`,
        '{% part_image thing height=20 rotate=90 %}': `${at}/media/part_images/a.png?height=20&amp;rotate=-90`,
        '{% part_image thing preview=True %}': `${at}/media/part_images/a.preview.png`,
        '{% part_image missing %}': `${at}/static/img/blank_image.png`,
        '{% asset "logo.png" %}': `${at}/media/report/assets/logo.png`,
        '{% logo_image %}': `${at}/media/report/assets/logo.png`,
      },
      { extra: pictured, library },
    )
    await gives({
      '{% with x="/media/part/secret.pdf" %}{{ x.url }}{% uploaded_image x %}{% endwith %}': `${at}/static/img/blank_image.png`,
    })
    await refused('{% asset "other.png" %}', /There is no asset "other.png"/, { library })
    for (const [tag, shape] of [
      ['{% qrcode "x" %}', /width="460" height="460" viewBox="0 0 23 23"/],
      ['{% qrcode "x" border=4 fill_color="#00f" back_color="white" %}', /viewBox="0 0 29 29".*fill="#00f"/],
      ['{% barcode "ABC" %}', /preserveAspectRatio="none"/],
      ['{% barcode "12345" barcode_class="ean13" write_text=0 %}', /<path/],
      ['{% datamatrix "x" %}', /<path/],
    ] as const) {
      const [, code = ''] = /^data:image\/svg\+xml;charset=utf-8;base64,(.*)$/.exec((await text(tag)) ?? '') ?? []
      assert.match(Buffer.from(code, 'base64').toString(), shape, tag)
    }
    await refused(`{% qrcode "x" fill_color='"/><script>' %}`, /is no colour/)
  })

  it('extend the bases and each other, and include snippets', async () => {
    const snippets: Record<string, string> = {
      'mid.html':
        '{% extends "label/label_base.html" %}{% load report %}{% block content %}mid[{% block inner %}in{% endblock %}]{% endblock content %}',
      'box.html': '<i>{{ title }}{{ part.IPN }}</i>',
      'liquid.html': '{% assign x = title | upcase %}{{ x }}',
    }
    const library = { ...noLibrary, snippet: async (name: string) => snippets[name] }
    const extended = '{% extends "snippets/mid.html" %}{% block inner %}own {{ block.super }}{% endblock %}'
    assert.equal(await text(extended, { library }), '<div class="content">\nmid[own in]\n</div>')
    assert.equal(await text('{% extends "snippets/mid.html" %}ignored', { library }), '<div class="content">\nmid[in]\n</div>')
    await gives(
      {
        '{% include "snippets/box.html" with title="A" %}': '<i>ASAMPLE-1</i>',
        '{% include "snippets/box.html" with title=names.0 only %}': '<i>a</i>',
        '{% with file="snippets/box.html" %}{% include file %}{% endwith %}': '<i>SAMPLE-1</i>',
        '{% include "snippets/liquid.html" with title="a" %}': 'A',
      },
      { library },
    )
    const source =
      '{% extends "report/inventree_po_report_base.html" %}{% load report %}{% block header_style %}top: 1cm;{% endblock %}'
    const document = (await render(source, { kind: 'report/po', template: { name: 'Order' } })).document(0)
    assert.match(document, /\.header \{\s*top: 1cm;\s*\}/)
    assert.match(document, /SAMPLE-1 \| Sample part/)
    assert.match(document, /€187\.25/)
  })
})

describe('filters of a template in the syntax of Django', () => {
  it('of texts', () =>
    gives({
      '{{ "joe o\'brien 3rd"|title }}|{{ "ab"|upper }}|{{ "AB"|lower }}|{{ "ab c"|capfirst }}': "Joe O'brien 3rd|AB|ab|Ab c",
      '{{ "abcdef"|truncatechars:4 }}|{{ "a b c d"|truncatewords:2 }}|{{ "ab"|truncatechars:4 }}': 'abc…|a b …|ab',
      '{{ "abc"|slice:":2" }}|{{ "abc"|slice:"-2:" }}|{{ "abc"|first }}{{ "abc"|last }}|{{ "abc"|length }}': 'ab|bc|ac|3',
      '|{{ "a"|center:"5" }}|{{ "a"|ljust:3 }}|{{ "a"|rjust:3 }}|': '|  a  |a  |  a|',
      '{{ "<p>Hi</p>"|striptags }}|{{ "a b"|cut:" " }}|{{ "a\'b"|addslashes }}': "Hi|ab|a\\'b",
      '{{ evil|linebreaks }}|{{ "a<br>"|linebreaksbr }}': '<p>&lt;b&gt;&#34;&amp;&#39;</p>|a<br>',
      '{{ evil|safe }}|{{ evil|escape }}|{{ evil|escape|safe }}|{{ evil|force_escape|force_escape|length }}':
        '<b>"&\'|&lt;b&gt;&#34;&amp;&#39;|&lt;b&gt;&#34;&amp;&#39;|44',
      '{{ evil|upper }}|{{ evil|safe|upper }}|{{ evil|add:"x" }}': '&lt;B&gt;&#34;&amp;&#39;|<B>"&\'|&lt;b&gt;&#34;&amp;&#39;x',
      '{{ "a b/ü&"|urlencode }}|{{ "a/b"|urlencode:"" }}|{{ "Größe 3!"|slugify }}': 'a%20b/%C3%BC%26|a%2Fb|groe-3',
      '{{ "a b c"|wordcount }}|{{ "aa bb cc"|wordwrap:5 }}|{{ 3|stringformat:"03d" }}|{{ 3.14159|stringformat:".2f" }}|{{ "x"|stringformat:"-3s" }}|':
        '3|aa bb\ncc|003|3.14|x  |',
      '{{ "*a* **b** <i>"|markdownify }}': '<p><em>a</em> <strong>b</strong> &lt;i&gt;</p>',
      '{{ "see http://a.test/<x"|urlize }}': 'see <a href="http://a.test/">http://a.test/</a><x',
      '{{ "</script>"|escapejs }}': '\\u003C/script\\u003E',
    }))

  it('of numbers', () =>
    gives({
      '{{ 34.23234|floatformat }}|{{ 34.00|floatformat }}|{{ 34.26|floatformat:3 }}|{{ 34.00|floatformat:"-3" }}|{{ 39.56|floatformat:0 }}':
        '34.2|34|34.260|34|40',
      '{{ 1234567.891|floatformat:"2g" }}|{{ "x"|floatformat }}|{{ "12345678901234.12345"|floatformat:5 }}':
        '1,234,567.89||12345678901234.12345',
      '{{ 1|add:2 }}|{{ "a"|add:"b" }}|{{ names|add:names|join:"" }}|{{ half|add:"0.25" }}': '3|ab|abcabc|2.75',
      '{{ 21|divisibleby:"7" }}|{{ 1|pluralize }}|{{ 2|pluralize }}|{{ names|pluralize:"y,ies" }}': 'True||s|ies',
      '{{ True|yesno:"a,b,c" }}{{ none|yesno:"a,b,c" }}{{ zero|yesno }}': 'acno',
      '{{ 123456789|filesizeformat }}|{{ 5|filesizeformat }}|{{ 123|get_digit:2 }}': '117.7 MB|5 bytes|2',
    }))

  it('of lists and what is absent', () =>
    gives({
      '{{ names|join:"<br>" }}|{{ names|first }}{{ names|last }}|{{ names|slice:"1:"|join:"" }}|{{ names|length }}':
        'a<br>b<br>c|ac|bc|3',
      '{% for r in rows|dictsort:"size" %}{{ r.pk }}{% endfor %}{% for r in rows|dictsortreversed:"size" %}{{ r.pk }}{% endfor %}':
        '231132',
      '{{ empty|default:"-" }}{{ none|default_if_none:"n" }}{{ missing|default_if_none:"n" }}{{ zero|default:names.0 }}': '-na',
      '{{ nested.deep.list.0.name }}|{{ names.1 }}|{{ rows.count }}|{{ rows.all.first.kind }}|{{ rows.last.pk }}':
        'found|b|3|x|3',
      '{{ names|unordered_list }}': '<li>a</li><li>b</li><li>c</li>',
      '{{ True }} {{ none }} {{ missing.x }} {{ 2.50 }}': 'True   2.5',
    }))

  it('of days', () =>
    gives({
      '{{ day|date:"d.m.Y" }}|{{ day|date }}|{{ moment|date:"D jS F y, H:i" }}|{{ moment|time }}':
        '02.03.2026|March 2, 2026|Mon 2nd March 26, 15:05|3:05 p.m.',
      '{{ moment|date:"N W z t L c" }}|{{ day|date:"\\\\d\\\\a\\\\y d" }}|{{ "x"|date:"Y" }}':
        'March 10 61 31 False 2026-03-02T15:05:00+00:00|day 02|',
      '{{ day|timesince:moment }}|{{ moment|timeuntil:day }}': '15 hours, 5 minutes|15 hours, 5 minutes',
      '{{ date.isoformat|length }}|{{ date.year|length }}|{{ day|date:"SHORT_DATE_FORMAT" }}': '10|0|03/02/2026',
    }))
})

describe('a template in the syntax of Django', () => {
  it('says itself that it is one; all others are in Liquid', () => {
    const language = (source: string) => compileTemplate(source).language
    for (const source of [
      '{% assign a = 1 %}{% load report %}',
      '{% if a %}{% elif b %}{% endif %}',
      '{{ forloop.counter }}',
      '{% if a not in b %}{% endif %}',
      '{{ a|yesno:"x,y" }}',
      '{{ a|default:"x" }}',
      '{# a #}',
      '{% for a, b in c.items %}{% endfor %}',
      '{{ lines.0.pk }}',
      '{% include "a" with b=c %}',
      '{% with a=b %}{% endwith %}',
    ])
      assert.equal(language(source), 'django', source)
    for (const source of [
      '',
      '{{ part.name }}',
      '{% if a %}{% else %}{% endif %}',
      '{{ a | default: "x" }}',
      '{{ qr_data | qrcode }}{{ a | default:"x" }}',
      '{% assign a = b %}',
      '{% unless a %}{% endunless %}',
      '{% for a in (1..3) %}{{ forloop.index }}{% endfor %}',
      '{% if a contains "x not in y" %}{% endif %}',
      '{{ a[0] }}{{ "{# x" }}',
      '{{ location.items }}{{ lines.0.pk }}{% assign x = 1 %}',
      '{{- a -}}',
      '{% include "a", b: c %}',
    ])
      assert.equal(language(source), 'liquid', source)
  })

  it('names what there is not with its line', () => {
    const source = `{% load report humanize %}
{% cache 500 x %}{{ a|shout:"x"|upper }}{% endcache %}
{% url 'part-detail' %}{% shortest a %}{{ b|shout }}
{% uploaded_image "part_images/a.png" %}{% part_image part shine=90 %}
{% settings_value "NOTHING" %}{% barcode "1" barcode_class="pdf417" %}{% qrcode "a" glow=1 %}`
    assert.deepEqual(
      compileTemplate(source).problems?.map(({ line, message }) => `${line} ${message}`),
      [
        '1 There is no library "humanize".',
        '2 There is no tag "cache".',
        '2 There is no filter "shout".',
        '3 There is no tag "url".',
        '3 There is no tag "shortest".',
        '4 A stored file is not shown by its name: make an asset of it.',
        '4 The tag "part_image" has no "shine".',
        '5 There is no global setting "NOTHING".',
        '5 There is no barcode of the kind "pdf417".',
        '5 The tag "qrcode" has no "glow".',
      ],
    )
    assert.deepEqual(
      compileTemplate('{% extends "label/none.html" %}{% load x from i18n %}\n{% include "snippets/a.html" %}').files,
      [
        { path: 'label/none.html', line: 1, column: 1 },
        { path: 'snippets/a.html', line: 2, column: 1 },
      ],
    )
  })

  it('is refused with the line of a mistake', () => {
    for (const [source, line, message] of [
      ['\n{% if a %}', 2, 'The tag "if" is not closed.'],
      ['\n\n{% endfor %}', 3, 'The tag "endfor" stands where nothing is open for it.'],
      ['{% if a == %}{% endif %}', 1, 'A condition ends too early.'],
      ['{% if a b %}{% endif %}', 1, '"b" stands where an operator should be.'],
      ['{% for a of b %}{% endfor %}', 1, '"for" is of the form: for entry in list.'],
      ['{{ a|upper:1 }}', 1, 'The filter "upper" takes no argument.'],
      ['{{ a|join }}', 1, 'The filter "join" needs an argument.'],
      ['{{ part._meta }}', 1, 'Variables and their fields do not begin with an underscore: "part._meta".'],
      ['{{ a|default:"x }}', 1, 'A text is not closed.'],
      ['{% asset %}', 1, 'The tag "asset" needs "filename".'],
      ['{% block a %}{% endblock %}{% block a %}{% endblock %}', 1, 'There are two blocks "a".'],
      [`${'{% if a %}'.repeat(61)}`, 1, 'Tags lie more than 60 deep in each other.'],
      [`{% if ${'a or '.repeat(150)}a %}{% endif %}`, 1, 'A condition has at most 200 words.'],
      [`{{ a${'|upper'.repeat(51)} }}`, 1, 'More than 50 filters stand behind one another.'],
    ] as const) {
      const { error } = compileTemplate(`{% load report %}${source}`)
      assert.deepEqual([error?.line, error?.message], [line, message], source)
    }
  })

  it('says in which line something went wrong while it was printed', () =>
    refused('<p>\n{% divide 1 0 %}', /divided by zero\. \(line 2, column 1\)/))

  it('escapes what it puts out, however it comes to be put out', async () => {
    const escaped = '&lt;b&gt;&#34;&amp;&#39;'
    for (const source of [
      '{{ evil }}',
      '{% firstof evil %}',
      '{% cycle evil %}',
      '{% with x=evil %}{{ x }}{% endwith %}',
      '{% define evil %}',
      '{% trans evil %}',
      '{% blocktrans with x=evil %}{{ x }}{% endblocktrans %}',
      '{% filter lower %}{{ evil }}{% endfilter %}',
      '{{ missing|default:evil }}',
      '{{ evil|join:"" }}',
      '{% getkey holder "x" evil %}',
      '{% for x in evils %}{{ x }}{% endfor %}',
      '{% ifchanged %}{{ evil }}{% endifchanged %}',
    ]) {
      const given = () => ({ ...extra(), evils: ['<b>"&\''], holder: {} })
      const written = await text(source, { extra: given })
      assert.equal(
        written?.replaceAll('&#34;', '"').replaceAll('&#39;', "'"),
        escaped.replaceAll('&#34;', '"').replaceAll('&#39;', "'"),
        source,
      )
    }
  })

  it('reaches nothing of the program it runs in', async () => {
    for (const path of [
      'constructor',
      'part.constructor',
      'part.constructor.constructor',
      'part.name.constructor',
      'part.toString',
      'part.hasOwnProperty',
      'part.items.constructor',
      'date.constructor',
      'date.at',
      'names.constructor',
      'names.map',
      'names.length.constructor',
      'forloop.constructor',
      'process.env.PATH',
      'globalThis',
      'user.password',
      'request.headers',
      'block.super.constructor',
      'part.image.path',
    ])
      assert.equal(await text(`{{ ${path} }}{% with x=${path} %}{{ x }}{% endwith %}`, { extra }), '', path)
    await gives({
      '{% getkey part "constructor" %}{% getkey part "__proto__" %}{{ part|keyvalue:"constructor" }}{% getindex names "constructor" %}':
        '',
      '{% for r in rows|dictsort:"constructor.name" %}{{ r.pk }}{% endfor %}{{ rows|dictsort:"__proto__" }}': '123',
      '{% regroup rows by constructor as g %}{{ g.0.grouper }}{{ g|length }}': '1',
    })
    for (const name of [
      '/etc/passwd',
      '../package.json',
      'snippets/../../../package.json',
      'label/../label/label_base.html',
      'constructor',
    ])
      for (const tag of ['include', 'extends'])
        await assert.rejects(
          texts(`{% load report %}{% with n="${name}" %}{% include n %}{% endwith %}{% comment %}${tag}{% endcomment %}`),
          /There is no template/,
        )
  })

  it('has bounds', { timeout: 60_000 }, async () => {
    const thousand = () => ({ list: Array.from({ length: 1_000 }, (_, pk) => ({ pk })) })
    const loops = (count: number) => `${'{% for a in list %}'.repeat(count)}x${'{% endfor %}'.repeat(count)}`
    await refused(loops(4), /longer than 0.2 seconds/, { extra: thousand, milliseconds: 200 })
    await refused(`{% with x="xxxxxxxxxx" %}${'{% with x=x|add:x %}'.repeat(40)}${'{% endwith %}'.repeat(41)}`, /too long/)
    await refused(
      `{% for a in list %}{% for b in list %}${'x'.repeat(5_000)}{% endfor %}{% endfor %}`,
      /longer than 20000000 characters/,
      {
        extra: thousand,
      },
    )
    await refused('{{ ""|center:"9999999" }}'.repeat(60), /too long/)
    await refused('{% for r in list|dictsort:"a" %}{% endfor %}', /20000 entries is too long/, {
      extra: () => ({ list: Array.from({ length: 20_001 }, () => 1) }),
    })
    const itself = { ...noLibrary, snippet: async () => '{% load report %}{% include "snippets/a.html" %}' }
    await refused('{% include "snippets/a.html" %}', /60 deep/, { library: itself })
    const extending = { ...noLibrary, snippet: async () => '{% load report %}{% extends "snippets/a.html" %}' }
    await refused('{% extends "snippets/a.html" %}', /60 deep/, { library: extending })
  })

  it('is read quickly, whatever is opened and never closed', () => {
    const began = performance.now()
    for (const piece of [
      '{% ',
      '{{ "',
      '{#',
      "{% if '",
      '{{ a|',
      '{% for x in y %}{{ x }}{% endfor %}',
      '{% verbatim %}{{',
      '<',
      "{% with a='\\",
    ])
      compileTemplate(`{% load report %}${piece.repeat(Math.min(9_000, Math.floor(900_000 / piece.length)))}`)
    compileTemplate(`{% load report %}{% if ${"'a ".repeat(200_000)} %}`)
    compileTemplate(`{% load report %}{{ ${'a.'.repeat(400_000)} }}`)
    compileTemplate(`{% load report %}{{ a|${' '.repeat(800_000)}b }}`)
    assert.ok(performance.now() - began < 15_000)
  })
})
