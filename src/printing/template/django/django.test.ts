import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noLibrary } from '../../../resources/printing/fixture.ts'
import { buildTemplateSchema } from '../../../resources/printing/template-schema.ts'
import { testService } from '../../../testing/service.ts'
import { scaleTimeout } from '../../../testing/slowness.ts'
import { setTemplateSchema } from '../../context/render-context.ts'
import { compileTemplate } from '../compile.ts'
import { createTemplateHelpers, extra } from './test-environment.ts'

setTemplateSchema(buildTemplateSchema())

const { assertOutputs, assertRejected, text, texts } = createTemplateHelpers(await testService())

describe('a template in Django syntax', () => {
  it('is recognized by its syntax; all others are in Liquid', () => {
    const detectLanguage = (source: string) => compileTemplate(source).language
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
      assert.equal(detectLanguage(source), 'django', source)
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
      assert.equal(detectLanguage(source), 'liquid', source)
  })

  it('reports missing tags, filters and files with their lines', () => {
    const source = `{% load report humanize %}
{% cache 500 x %}{{ a|shout:"x"|upper }}{% endcache %}
{% url 'part-detail' %}{% shortest a %}{{ b|shout }}
{% uploaded_image "part_images/a.png" %}{% part_image part shine=90 %}
{% settings_value "NOTHING" %}{% barcode "1" barcode_class="pdf417" %}{% qrcode "a" glow=1 %}`
    assert.deepEqual(
      compileTemplate(source).problems?.map(({ line, message }) => `${line} ${message}`),
      [
        '1 The library "humanize" does not exist.',
        '2 The tag "cache" does not exist.',
        '2 The filter "shout" does not exist.',
        '3 The tag "url" does not exist.',
        '3 The tag "shortest" does not exist.',
        '4 A stored file cannot be shown by its name: upload it as an asset.',
        '4 The tag "part_image" has no "shine".',
        '5 The global setting "NOTHING" does not exist.',
        '5 The barcode type "pdf417" does not exist.',
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

  it('is rejected with the line of its error', () => {
    for (const [source, line, message] of [
      ['\n{% if a %}', 2, 'The tag "if" is not closed.'],
      ['\n\n{% endfor %}', 3, 'The tag "endfor" has no matching start tag.'],
      ['{% if a == %}{% endif %}', 1, 'A condition is incomplete.'],
      ['{% if a b %}{% endif %}', 1, '"b" is used instead of an operator.'],
      ['{% for a of b %}{% endfor %}', 1, '"for" must have the form: for entry in list.'],
      ['{{ a|upper:1 }}', 1, 'The filter "upper" takes no argument.'],
      ['{{ a|join }}', 1, 'The filter "join" needs an argument.'],
      ['{{ part._meta }}', 1, 'Variables and their fields cannot start with an underscore: "part._meta".'],
      ['{{ a|default:"x }}', 1, 'A text is not closed.'],
      ['{% asset %}', 1, 'The tag "asset" requires "filename".'],
      ['{% block a %}{% endblock %}{% block a %}{% endblock %}', 1, 'There are two blocks "a".'],
      [`${'{% if a %}'.repeat(61)}`, 1, 'Tags are nested more than 60 levels deep.'],
      [`{% if ${'a or '.repeat(150)}a %}{% endif %}`, 1, 'A condition can have at most 200 words.'],
      [`{{ a${'|upper'.repeat(51)} }}`, 1, 'More than 50 filters are chained.'],
    ] as const) {
      const { error } = compileTemplate(`{% load report %}${source}`)
      assert.deepEqual([error?.line, error?.message], [line, message], source)
    }
  })

  it('reports the line of an error that occurs during printing', () =>
    assertRejected('<p>\n{% divide 1 0 %}', /Division by zero\. \(line 2, column 1\)/))

  it('escapes its output, however it is produced', async () => {
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
      const variables = () => ({ ...extra(), evils: ['<b>"&\''], holder: {} })
      const output = await text(source, { extra: variables })
      assert.equal(
        output?.replaceAll('&#34;', '"').replaceAll('&#39;', "'"),
        escaped.replaceAll('&#34;', '"').replaceAll('&#39;', "'"),
        source,
      )
    }
  })

  it('cannot reach the program that it runs in', async () => {
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
    await assertOutputs({
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
          /The template .* does not exist/,
        )
  })

  it('is limited in time, output, list length and nesting', { timeout: scaleTimeout(60_000) }, async () => {
    const createThousandRows = () => ({ list: Array.from({ length: 1_000 }, (_, pk) => ({ pk })) })
    const nestLoops = (count: number) => `${'{% for a in list %}'.repeat(count)}x${'{% endfor %}'.repeat(count)}`
    await assertRejected(nestLoops(4), /longer than 0.2 seconds/, { extra: createThousandRows, milliseconds: 200 })
    await assertRejected(`{% with x="xxxxxxxxxx" %}${'{% with x=x|add:x %}'.repeat(40)}${'{% endwith %}'.repeat(41)}`, /too long/)
    await assertRejected(
      `{% for a in list %}{% for b in list %}${'x'.repeat(5_000)}{% endfor %}{% endfor %}`,
      /longer than 20000000 characters/,
      {
        extra: createThousandRows,
      },
    )
    await assertRejected('{{ ""|center:"9999999" }}'.repeat(60), /too long/)
    await assertRejected('{% for r in list|dictsort:"a" %}{% endfor %}', /20000 entries is too long/, {
      extra: () => ({ list: Array.from({ length: 20_001 }, () => 1) }),
    })
    const selfIncludingLibrary = { ...noLibrary, snippet: async () => '{% load report %}{% include "snippets/a.html" %}' }
    await assertRejected('{% include "snippets/a.html" %}', /more than 60 levels deep/, { library: selfIncludingLibrary })
    const selfExtendingLibrary = { ...noLibrary, snippet: async () => '{% load report %}{% extends "snippets/a.html" %}' }
    await assertRejected('{% extends "snippets/a.html" %}', /more than 60 levels deep/, { library: selfExtendingLibrary })
  })

  it('is parsed quickly, even with tags that are opened and never closed', () => {
    const startTime = performance.now()
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
    assert.ok(performance.now() - startTime < scaleTimeout(15_000))
  })
})
