import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createRenderer, noLibrary } from '../../resources/printing/fixture.ts'
import { testService } from '../../testing/service.ts'
import { scaleTimeout } from '../../testing/slowness.ts'
import { TemplateError } from '../rendering.ts'
import { compileTemplate } from './compile.ts'

const service = await testService()
const { texts, render } = createRenderer(service)
const text = async (source: string, print = {}) => (await texts(source, print))[0]
const assertRejected = (source: string, message: RegExp, print = {}) =>
  assert.rejects(texts(source, print), (error: Error) => {
    assert.ok(error instanceof TemplateError, String(error.stack))
    assert.match(error.message, message)
    return true
  })

describe('compileTemplate', () => {
  const compile = (source: string) => compileTemplate(source)

  it('names the line and column of a syntax error', () => {
    assert.deepEqual(compile('<p>\n  {% if part %}\n</p>'), {
      error: { message: '{% if part %} is not closed: {% endif %} is missing.', line: 2, column: 3 },
    })
    assert.equal(compile('\n\n {{ part.name | }').error?.line, 3)
    assert.equal(compile('{% endif %}').error?.message, 'The tag "endif" does not exist here.')
    for (const source of ['{{ part.name', '<p>{{ part.name</p>{{ IPN }}'])
      assert.match(compile(source).error?.message ?? '', / is missing\b/, source)
    assert.equal(compile('{% else %}').error?.line, 1)
  })

  it('lists missing tags and filters, each once and at its first position', () => {
    const source =
      '{% assign x = 1 %}{% shout report %}\n{% boxed a %}{{ part.name | loud: "a,b" }}{% endboxed %}\n{# note #}{% shout x %}{{ 1 | loud }}'
    assert.deepEqual(compile(source), {
      language: 'liquid',
      problems: [
        { message: 'The tag "shout" does not exist.', line: 1, column: 19 },
        { message: 'The tag "boxed" does not exist.', line: 2, column: 1 },
        { message: 'The filter "loud" does not exist.', line: 2, column: 27 },
        { message: 'Write comments as {% comment %} … {% endcomment %}.', line: 3, column: 1 },
      ],
      files: [],
    })
  })

  it('lists the files that it extends and includes by name', () => {
    const source =
      '{% extends "label/a.html" %}\n{% block content %}{% include "snippets/b.html" %}{% render name %}{% comment %}{% include "c" %}{% endcomment %}{% endblock %}'
    assert.deepEqual(compile(source), {
      language: 'liquid',
      problems: [],
      files: [
        { path: 'label/a.html', line: 1, column: 1 },
        { path: 'snippets/b.html', line: 2, column: 20 },
      ],
    })
  })

  it('accepts everything that Liquid and the service provide', () => {
    const source =
      '{% extends "label/label_base.html" %}{% block content %}{% super %}{{ qr_data | qrcode }}{{ 1 | money: "EUR" }}{% endblock %}'
    assert.deepEqual(compile(source).problems, [])
  })

  it('reports a template that is nested too deeply, or too long, as a syntax error', () => {
    assert.match(compile('{% if true %}'.repeat(9_000)).error?.message ?? '', /nested too deeply|is not closed/)
    for (const source of [
      '{% if true %}'.repeat(4_900) + '{% endif %}'.repeat(4_900),
      `{{ ${'a['.repeat(20_000)}b${']'.repeat(20_000)} }}`,
    ])
      assert.doesNotMatch(compile(source).error?.message ?? '', /call stack/)
    assert.match(compile('{{ a }}'.repeat(10_001)).error?.message ?? '', /at most 10000 tags/)
    assert.match(compile('x'.repeat(1_000_001)).error?.message ?? '', /at most 1000000 characters/)
  })

  it('is quick for every template within the limits', () => {
    const startTime = performance.now()
    for (const piece of [`{%-${' '.repeat(90)}a %}`, `{% raw %}${' '.repeat(90)}`, '{# ', '{{ "'])
      compile(piece.repeat(Math.min(9_999, Math.floor(1_000_000 / piece.length))))
    compile(
      Array.from({ length: 9_999 }, (_, index) => `{% t${index} %}{{ x | f${index} }}`)
        .join('')
        .slice(0, 140_000),
    )
    assert.ok(performance.now() - startTime < scaleTimeout(10_000))
  })
})

describe('templates', () => {
  it('escape their output, however it is produced', async () => {
    const extra = () => ({ evil: '<b>"&\'' })
    const escaped = '&lt;b&gt;&#34;&amp;&#39;'
    for (const source of [
      '{{ evil }}',
      '{% echo evil %}',
      '{% cycle evil %}',
      '{% assign x = evil %}{{ x }}',
      '{{ evil | escape }}',
      '{% capture x %}{{ evil }}{% endcapture %}{{ x }}',
      '{{ evil | append: "" }}',
    ])
      assert.equal(await text(source, { extra }), escaped, source)
    assert.equal(await text('{% capture x %}<i>{% endcapture %}{{ x }}{{ x | append: "" }}', { extra }), '<i>&lt;i&gt;')
  })

  it('have no filter that outputs unescaped text or the inside of objects', async () => {
    for (const filter of ['raw', 'json', 'jsonify', 'inspect'])
      await assertRejected(`{{ part.name | ${filter} }}`, /The filter .* does not exist/)
  })

  it('keep a string in a style sheet within its quotes', async () => {
    const extra = () => ({ evil: '"; } </style>\\' })
    assert.equal(await text('{{ evil | css }}', { extra }), '"\\22 ; } \\3c /style\\3e \\5c "')
  })

  it('render notes as Markdown, with HTML shown as plain text', async () => {
    const extra = () => ({ notes: 'a **b** <script>x</script> ![p](http://elsewhere.test/x.png)' })
    const html = await text('{{ notes | markdown }}', { extra })
    assert.match(html ?? '', /<strong>b<\/strong> &lt;script&gt;/)
    assert.doesNotMatch(html ?? '', /<img/)
  })

  it('extend others by filling their blocks', async () => {
    const rendered = await render(
      '{% extends "label/label_base.html" %}{% block style %}.a { color: red }{% endblock %}{% block content %}{{ part.IPN }}{% endblock %}',
    )
    assert.match(rendered.document(0), /<style>.*@page \{ size: 50mm 20mm; margin: 0mm \}.*\.a \{ color: red \}.*<\/style>/s)
    assert.match(rendered.document(0), /<div class="printed-item" id="printed-item-0"><div>SAMPLE-1<\/div><\/div>/)
  })

  it('include snippets, with or without arguments', async () => {
    const library = {
      ...noLibrary,
      snippet: async (name: string) => (name === 'hello.html' ? 'Hello {{ who }} {{ part.IPN }}' : undefined),
    }
    assert.equal(await text('{% include "snippets/hello.html", who: "you" %}', { library }), 'Hello you SAMPLE-1')
    assert.equal(await text('{% render "snippets/hello.html", who: "you" %}', { library }), 'Hello you')
  })

  it('cannot reach the program that they run in', async () => {
    for (const path of [
      'constructor',
      'part.constructor',
      'part.constructor.constructor',
      'part.__proto__',
      'part.name.constructor',
      'part.toString',
      'lines.constructor',
      'process',
      'process.env.PATH',
      'global',
      'globalThis',
      'require',
      'forloop.constructor',
      'part["constructor"]',
      'part.hasOwnProperty',
      'qr_data.length.constructor',
    ])
      assert.equal(await text(`{{ ${path} }}`), '', path)
    assert.equal(await text('{% assign key = "constructor" %}{{ part[key] }}{{ part[key][key] }}'), '')
    assert.equal(await text('{% assign x = "part,b" | split: "," | map: "constructor" | first %}{{ x }}'), '')
  })

  it('cannot read files', async () => {
    const library = { ...noLibrary, snippet: async (name: string) => assert.fail(`requested ${name}`) }
    for (const name of [
      '/etc/passwd',
      '../package.json',
      'snippets/../../../package.json',
      'snippets//etc/passwd',
      'file:///etc/passwd',
      'label/../label/label_base.html',
      'constructor',
    ]) {
      await assertRejected(`{% include "${name}" %}`, /The template .* does not exist/, { library })
      await assertRejected(`{% extends "${name}" %}`, /The template .* does not exist/, { library })
      await assertRejected(`{% assign name = "${name}" %}{% render name %}`, /The template .* does not exist/, { library })
    }
  })

  it('report the line of an error', () =>
    assertRejected('<p>\n{{ 1 | divided_by: 0 }}', /Division by zero\. \(line 2, column 1\)/))
})

describe('limits of a template', () => {
  it('stop endless loops', { timeout: scaleTimeout(110_000) }, async () => {
    await assertRejected('{% for a in (1..1000000000) %}{% endfor %}', /too long/)
    const product = '{% for a in (1..9999) %}{% for b in (1..9999) %}{% endfor %}{% endfor %}'
    await assertRejected(product, /exceed 300000 iterations/, { milliseconds: 100_000 })
    const nested = `{% assign x = (1..999) %}${'{% for a in x %}'.repeat(4)}${'{% endfor %}'.repeat(4)}`
    let tickCount = 0
    const timer = setInterval(() => tickCount++, 10)
    try {
      await assertRejected(nested, /longer than 0.2 seconds/, { milliseconds: 200 })
    } finally {
      // an interval that is left keeps the process of the tests alive
      clearInterval(timer)
    }
    assert.ok(tickCount > 1, 'the event loop was blocked')
  })

  it('let other requests run between the tags of one block, and reject lists that take too long', async () => {
    const objects = Array.from({ length: 1_000 }, (_, pk) => ({ pk }))
    const extra = () => ({ objects })
    let tickCount = 0
    const timer = setInterval(() => tickCount++, 10)
    const tag = '{% assign x = objects | where: "pk", 1 %}'
    await assertRejected(tag.repeat(1_000), /longer than 1 seconds/, { extra, milliseconds: 1_000 })
    clearInterval(timer)
    assert.ok(tickCount > 1, 'the event loop was blocked')
    for (const filter of ['where: "a"', 'has: "a"', 'sort', 'map: "a"', 'group_by: "a"', 'sum'])
      await assertRejected(`{% assign x = (1..20001) | ${filter} %}`, /20000 entries is too long/)
  })

  it('render at most two prints of one account at the same time', async () => {
    let running = 0
    let maxRunning = 0
    const bothRunning = Promise.withResolvers<void>()
    const library = {
      ...noLibrary,
      async snippet() {
        maxRunning = Math.max(maxRunning, ++running)
        if (running === 2) bothRunning.resolve()
        await bothRunning.promise
        // a third would have started by now
        await setTimeout(20)
        running--
        return 'x'
      },
    }
    const print = () => text('{% include "snippets/a.html" %}', { library })
    assert.deepEqual(await Promise.all([print(), print(), print(), print(), print()]), ['x', 'x', 'x', 'x', 'x'])
    assert.equal(maxRunning, 2)
  })

  it('stop growing output', async () => {
    const long = 'x'.repeat(50_000)
    await assertRejected(`{% for a in (1..9999) %}${long}{% endfor %}`, /longer than 20000000 characters/)
    const doubled = '{% assign x = "xxxxxxxxxx" %}{% for a in (1..60) %}{% assign x = x | append: x %}{% endfor %}'
    await assertRejected(doubled, /too long/)
    const captured =
      '{% assign x = "xxxxxxxxxx" %}{% for a in (1..60) %}{% capture x %}{{ x }}{{ x }}{% endcapture %}{% endfor %}'
    await assertRejected(captured, /longer than 20000000 characters/)
  })

  it('stop files that include themselves', async () => {
    const library = { ...noLibrary, snippet: async () => '{% include "snippets/a.html" %}' }
    await assertRejected('{% include "snippets/a.html" %}', /more than 60 levels deep/, { library })
    const rendered = { ...noLibrary, snippet: async () => '{% render "snippets/a.html" %}' }
    await assertRejected('{% render "snippets/a.html" %}', /more than 60 levels deep/, { library: rendered })
    const extended = { ...noLibrary, snippet: async () => '{% extends "snippets/a.html" %}' }
    await assertRejected('{% extends "snippets/a.html" %}', /more than 60 levels deep/, { library: extended })
  })
})
