import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ROOT } from '../../../paths.ts'
import { noLibrary } from '../../../resources/printing/fixture.ts'
import { buildTemplateSchema } from '../../../resources/printing/template-schema.ts'
import { testService } from '../../../testing/service.ts'
import { setTemplateSchema } from '../../context/render-context.ts'
import { parseTemplate } from '../compile.ts'
import { TemplateEngine } from '../engine.ts'
import { emptyEnvironment } from '../filters/index.ts'
import { filters } from './filters/index.ts'
import { tags } from './tags/index.ts'
import { createTemplateHelpers } from './test-environment.ts'

setTemplateSchema(buildTemplateSchema())

// Every tag and filter of Django and of the three libraries: its output, or that it is reported as missing.

const { text } = createTemplateHelpers(await testService())
const PICTURE_URL = /^https:\/\/stockroom\.invalid\/(?:static|media)\//
const CODE = /^data:image\/svg\+xml/
const MISSING = undefined

type Table = Record<string, [template: string, output: string | RegExp] | typeof MISSING>

const DJANGO_TAGS: Table = {
  autoescape: ['{% autoescape off %}{{ evil }}{% endautoescape %}', '<b>"&\''],
  block: ['{% block a %}x{% endblock %}', 'x'],
  blocktranslate: ['{% blocktranslate %}x{% endblocktranslate %}', 'x'],
  blocktrans: ['{% blocktrans %}x{% endblocktrans %}', 'x'],
  comment: ['a{% comment %}b{% endcomment %}', 'a'],
  csrf_token: ['a{% csrf_token %}', 'a'],
  cycle: ['{% for n in names %}{% cycle 1 2 %}{% endfor %}', '121'],
  debug: MISSING,
  extends: ['{% extends "label/label_base.html" %}{% block content %}x{% endblock %}', /x/],
  filter: ['{% filter upper %}x{% endfilter %}', 'X'],
  firstof: ['{% firstof empty "x" %}', 'x'],
  for: ['{% for n in missing %}{% empty %}x{% endfor %}', 'x'],
  get_current_language: ['{% get_current_language as l %}{{ l }}', 'en'],
  get_media_prefix: MISSING,
  get_static_prefix: MISSING,
  if: ['{% if zero %}a{% elif half %}b{% else %}c{% endif %}', 'b'],
  ifchanged: ['{% for n in "aab" %}{% ifchanged %}{{ n }}{% endifchanged %}{% endfor %}', 'ab'],
  include: ['{% include "snippets/x.html" with a=1 only %}', '1'],
  language: ['{% language "de" %}x{% endlanguage %}', 'x'],
  load: ['{% load report %}x', 'x'],
  localize: ['{% localize on %}x{% endlocalize %}', 'x'],
  localtime: ['{% localtime on %}x{% endlocaltime %}', 'x'],
  lorem: MISSING,
  now: ['{% now "Y" %}', /^20\d\d$/],
  querystring: MISSING,
  regroup: ['{% regroup rows by kind as g %}{{ g|length }}', '2'],
  resetcycle: ['{% for n in names %}{% cycle 1 2 %}{% resetcycle %}{% endfor %}', '111'],
  spaceless: ['{% spaceless %}<p> <b>x</b> </p>{% endspaceless %}', '<p><b>x</b></p>'],
  static: MISSING,
  templatetag: ['{% templatetag openbrace %}', '{'],
  timezone: MISSING,
  trans: ['{% trans "x" %}', 'x'],
  translate: ['{% translate "x" %}', 'x'],
  url: MISSING,
  verbatim: ['{% verbatim %}{{ x }}{% endverbatim %}', '{{ x }}'],
  widthratio: ['{% widthratio 1 2 100 %}', '50'],
  with: ['{% with a=1 %}{{ a }}{% endwith %}', '1'],
}

const DJANGO_FILTERS: Table = {
  add: ['{{ 1|add:2 }}', '3'],
  addslashes: ['{{ "a\'"|addslashes }}', "a\\'"],
  capfirst: ['{{ "ab"|capfirst }}', 'Ab'],
  center: ['{{ "a"|center:3 }}', /a/],
  cut: ['{{ "aba"|cut:"a" }}', 'b'],
  date: ['{{ day|date:"d.m.Y" }}', '02.03.2026'],
  default: ['{{ empty|default:"x" }}', 'x'],
  default_if_none: ['{{ none|default_if_none:"x" }}', 'x'],
  dictsort: ['{{ rows|dictsort:"size"|first|keyvalue:"size" }}', '1'],
  dictsortreversed: ['{{ rows|dictsortreversed:"size"|first|keyvalue:"size" }}', '3'],
  divisibleby: ['{{ 4|divisibleby:2 }}', 'True'],
  escape: ['{{ evil|escape|slice:":4" }}', '&lt;'],
  escapejs: ['{{ "<"|escapejs }}', '\\u003C'],
  escapeseq: MISSING,
  filesizeformat: ['{{ 1024|filesizeformat }}', /^1.0.KB$/],
  first: ['{{ names|first }}', 'a'],
  floatformat: ['{{ half|floatformat:2 }}', '2.50'],
  force_escape: ['{{ "<"|force_escape }}', '&lt;'],
  get_digit: ['{{ 123|get_digit:1 }}', '3'],
  iriencode: ['{{ "a b"|iriencode }}', 'a%20b'],
  join: ['{{ names|join:"-" }}', 'a-b-c'],
  json_script: MISSING,
  last: ['{{ names|last }}', 'c'],
  length: ['{{ names|length }}', '3'],
  length_is: ['{{ names|length_is:3 }}', 'True'],
  linebreaks: ['{{ "a"|linebreaks }}', '<p>a</p>'],
  linebreaksbr: ['{% filter linebreaksbr %}a\nb{% endfilter %}', 'a<br>b'],
  linenumbers: ['{{ "a"|linenumbers }}', '1. a'],
  ljust: ['{{ "a"|ljust:2 }}x', 'a x'],
  localize: ['{{ 1|localize }}', '1'],
  localtime: ['{{ moment|localtime|date:"H" }}', '15'],
  lower: ['{{ "A"|lower }}', 'a'],
  make_list: ['{{ "ab"|make_list|join:"-" }}', 'a-b'],
  phone2numeric: ['{{ "800-COLLECT"|phone2numeric }}', '800-2655328'],
  pluralize: ['{{ 2|pluralize }}', 's'],
  pprint: MISSING,
  random: MISSING,
  rjust: ['x{{ "a"|rjust:2 }}', 'x a'],
  safe: ['{{ "<b>"|safe }}', '<b>'],
  safeseq: ['{{ names|safeseq|join:"" }}', 'abc'],
  slice: ['{{ names|slice:":1"|join:"" }}', 'a'],
  slugify: ['{{ "A b"|slugify }}', 'a-b'],
  stringformat: ['{{ 7|stringformat:"03d" }}', '007'],
  striptags: ['{{ "<b>x</b>"|striptags }}', 'x'],
  time: ['{{ moment|time:"H:i" }}', '15:05'],
  timesince: ['{{ day|timesince:moment }}', /^15.hours/],
  timeuntil: ['{{ moment|timeuntil:day }}', /^15.hours/],
  timezone: MISSING,
  title: ['{{ "ab cd"|title }}', 'Ab Cd'],
  truncatechars: ['{{ "abcd"|truncatechars:3 }}', 'ab…'],
  truncatechars_html: ['{{ "<p><b>ab</b> c&amp;d</p>"|truncatechars_html:5 }}', '<p><b>ab</b> c…</p>'],
  truncatewords: ['{{ "a b c"|truncatewords:2 }}', 'a b …'],
  truncatewords_html: ['{{ "<p>one <b>two three</b> four</p>"|truncatewords_html:2 }}', '<p>one <b>two …</b></p>'],
  unlocalize: ['{{ 1|unlocalize }}', '1'],
  unordered_list: ['{{ names|unordered_list }}', '<li>a</li><li>b</li><li>c</li>'],
  upper: ['{{ "a"|upper }}', 'A'],
  urlencode: ['{{ "a b"|urlencode }}', 'a%20b'],
  urlize: ['{{ "http://a.test"|urlize }}', '<a href="http://a.test">http://a.test</a>'],
  urlizetrunc: ['{{ "http://a.test"|urlizetrunc:8 }}', '<a href="http://a.test">http://…</a>'],
  utc: ['{{ moment|utc|date:"H" }}', '15'],
  wordcount: ['{{ "a b"|wordcount }}', '2'],
  wordwrap: ['{{ "a b"|wordwrap:1 }}', 'a\nb'],
  yesno: ['{{ True|yesno }}', 'yes'],
}

const REPORT: Table = {
  add: ['{% add 1 2 %}', '3'],
  asset: ['{% asset "logo.png" %}', PICTURE_URL],
  company_image: ['{% company_image missing %}', PICTURE_URL],
  divide: ['{% divide 1 4 %}', '0.25'],
  encode_svg_image: ['{% encode_svg_image "report/assets/logo.svg" %}', PICTURE_URL],
  format_date: ['{% format_date day format="%d.%m.%Y" %}', '02.03.2026'],
  format_datetime: ['{% format_datetime moment format="%H:%M" %}', '15:05'],
  format_number: ['{% format_number 3.140 leading=2 %}', '003.14'],
  getindex: ['{% getindex names 1 %}', 'b'],
  getkey: ['{% getkey colours "red" %}', '1'],
  internal_link: ['{% internal_link "/part/1/" "x" %}', '<a href="http://stockroom.test/part/1/">x</a>'],
  logo_image: ['{% logo_image %}', PICTURE_URL],
  multiply: ['{% multiply 2 half %}', '5'],
  part_image: ['{% part_image missing %}', PICTURE_URL],
  part_parameter: ['{% part_parameter missing "x" as p %}[{{ p.data }}]', '[]'],
  render_currency: ['{% render_currency price.price %}', '€1,234.50'],
  render_html_text: ['{% render_html_text "x" bold=True %}', '<strong>x</strong>'],
  subtract: ['{% subtract 3 1 %}', '2'],
  uploaded_image: ['{% uploaded_image missing %}', PICTURE_URL],
}

const BARCODE: Table = {
  barcode: ['{% barcode "A1" %}', CODE],
  datamatrix: ['{% datamatrix "A1" %}', CODE],
  qrcode: ['{% qrcode "A1" %}', CODE],
}

const EXTRAS: Table = {
  decimal: ['{% decimal 10.500 %}', '10.5'],
  default_currency: ['{% default_currency %}', 'USD'],
  define: ['{% define 1 as x %}{{ x }}', '1'],
  global_settings: ['{% global_settings as all %}{{ all.INVENTREE_DEFAULT_CURRENCY }}', 'USD'],
  inventree_api_version: ['{% inventree_api_version %}', /^\d+$/],
  inventree_base_url: ['{% inventree_base_url %}', 'http://stockroom.test'],
  inventree_instance_name: ['{% inventree_instance_name %}', /./],
  inventree_title: ['{% inventree_title %}', /./],
  inventree_version: ['{% inventree_version %}', /^\d+\.\d+\.\d+$/],
  object_link: ['{% object_link "part-detail" 1 "<x>" %}', '<b>&lt;x&gt;</b>'],
  part_allocation_count: MISSING,
  progress_bar: ['{% progress_bar 1 2 %}', /width: 50\.0%/],
  render_date: ['{% render_date day %}', '2026-03-02'],
  setting_object: ['{% setting_object "INVENTREE_DEFAULT_CURRENCY" as s %}{{ s.value }}', 'USD'],
  settings_value: ['{% settings_value "INVENTREE_DEFAULT_CURRENCY" %}', 'USD'],
  str2bool: ['{% str2bool "yes" %}', 'True'],
  to_list: ['{% to_list 1 2 as l %}{{ l|length }}', '2'],
  user_settings: MISSING,
  visible_global_settings: ['{% visible_global_settings as all %}{{ all.INVENTREE_DEFAULT_CURRENCY }}', 'USD'],
}

/** Filters of the library `inventree_extras`, and of Markdown. */
const OTHER_FILTERS: Table = {
  keyvalue: ['{{ colours|keyvalue:"red" }}', '1'],
  markdownify: ['{{ "**x**"|markdownify }}', '<p><strong>x</strong></p>'],
}

const TAGS = { DJANGO_TAGS, REPORT, BARCODE, EXTRAS }
const FILTERS = { DJANGO_FILTERS, OTHER_FILTERS }
/** Tags that only this service has, for the bases of reports. */
const OWN_TAGS = ['headroom']

const library = {
  ...noLibrary,
  asset: async (name: string) => (name.startsWith('logo.') ? `report/assets/${name}` : undefined),
  snippet: async () => '{{ a }}',
}

const listSupported = (...tables: Table[]) =>
  tables.flatMap((table) => Object.keys(table).filter((name) => table[name])).toSorted()

/** Returns the problems reported when a template is saved. */
const listProblems = (source: string) => {
  const { problems, error } = parseTemplate(new TemplateEngine(emptyEnvironment), source)
  assert.equal(error, undefined, source)
  return problems.map(({ message, line, column }) => `${message} (line ${line}, column ${column})`)
}

describe('the tags and filters for templates in Django syntax', () => {
  for (const [kind, tables] of Object.entries({ tag: TAGS, filter: FILTERS }))
    for (const [name, table] of Object.entries(tables)) {
      it(`renders each supported ${kind} of ${name.toLowerCase()}`, async () => {
        const { extra } = await import('./test-environment.ts')
        for (const [entryName, entry] of Object.entries(table)) {
          if (!entry) continue
          const [source, expected] = entry
          const output = await text(source, { extra, library })
          if (expected instanceof RegExp) assert.match(output ?? '', expected, entryName)
          else assert.equal(output, expected, entryName)
          assert.deepEqual(listProblems(`{% load report %}\n${source}`), [], entryName)
        }
      })

      it(`reports the line of each unsupported ${kind} of ${name.toLowerCase()}`, () => {
        for (const entryName of Object.keys(table).filter((key) => !table[key])) {
          const snippet = kind === 'tag' ? `{% ${entryName} "x" %}` : `{{ evil|${entryName} }}`
          const [problem = '', ...others] = listProblems(`{% load report %}\n\n  ${snippet}`)
          assert.match(problem, new RegExp(`The ${kind} "${entryName}" does not exist`), entryName)
          assert.match(problem, /line 3, column 3/, entryName)
          assert.deepEqual(others, [])
        }
      })
    }

  it('report missing libraries, tags and filters of plugins, too', () =>
    assert.deepEqual(listProblems('{% load my_plugin %}\n{% my_plugin_tag part %}{{ part|my_filter }}'), [
      'The library "my_plugin" does not exist. (line 1, column 1)',
      'The tag "my_plugin_tag" does not exist. (line 2, column 1)',
      'The filter "my_filter" does not exist. (line 2, column 25)',
    ]))

  it('are all in this table', () => {
    const supportedTags = listSupported(...Object.values(TAGS))
    assert.deepEqual([...new Set([...supportedTags, ...OWN_TAGS])].toSorted(), Object.keys(tags).toSorted())
    assert.deepEqual(listSupported(...Object.values(FILTERS)), Object.keys(filters).toSorted())
  })

  it('are all in the documentation', () => {
    const page = readFileSync(join(ROOT, 'docs/guides/templates.md'), 'utf8')
    const findRow = (title: string) => page.split('\n').find((line) => line.startsWith(`| ${title} |`)) ?? ''
    const extractNames = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name as string)
    const extractCellNames = (cell: string) =>
      extractNames(cell.replaceAll(/\([^)]*\)/g, '')).filter((name) => name !== 'library')
    const innerKeywords = ['empty', 'elif', 'else', 'only']
    const withoutTitle = (title: string) => extractCellNames(findRow(title).replace(title, ''))
    const documentedTags = withoutTitle('tags of Django').filter((name) => !innerKeywords.includes(name))
    assert.deepEqual([...new Set(documentedTags)].toSorted(), listSupported(DJANGO_TAGS))
    for (const [title, table] of Object.entries({ report: REPORT, barcode: BARCODE, inventree_extras: EXTRAS }))
      assert.deepEqual(withoutTitle(`library \`${title}\``).toSorted(), listSupported(table), title)
    const unsupportedFilters = Object.keys(DJANGO_FILTERS).filter((name) => !DJANGO_FILTERS[name])
    assert.deepEqual(
      withoutTitle('filters of Django').toSorted(),
      [...unsupportedFilters, ...Object.keys(OTHER_FILTERS)].toSorted(),
    )
  })
})
