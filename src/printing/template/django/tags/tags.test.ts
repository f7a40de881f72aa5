import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noLibrary } from '../../../../resources/printing/fixture.ts'
import { testService } from '../../../../testing/service.ts'
import { createTemplateHelpers } from '../test-environment.ts'

const service = await testService()
const { assertOutputs, assertRejected, render, text } = createTemplateHelpers(service)

describe('tags of a template in Django syntax', () => {
  it('branch on conditions', () =>
    assertOutputs({
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

  it('iterate over lists', () =>
    assertOutputs({
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

  it('assign values to names', () =>
    assertOutputs({
      '{% with a=1 b=names.1 %}{{ a }}{{ b }}{% endwith %}[{{ a }}]': '1b[]',
      '{% with names.0 as first %}{{ first }}{% endwith %}': 'a',
      '{% firstof empty none names.2 %}{% firstof empty "<i>" %}': 'c<i>',
      '{% define names.0 as x %}{% for n in names %}{% define n as x %}{% endfor %}{{ x }}': 'a',
      '{% to_list 1 "b" half as all %}{{ all|join:"+" }}': '1+b+2.5',
      '{% if yes|default:"x" %}{% str2bool "Yes" as yes %}{{ yes }}{% endif %}': 'True',
    }))

  it('output text', () =>
    assertOutputs({
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

  it("reserve the lower part of a page's top margin for its header", () =>
    assertOutputs({
      '{% headroom %}margin: 2cm; margin-top: 4cm{% endheadroom %}|{{ headroom }}':
        'margin: 2cm; margin-top: 4cm\nmargin-top: 15mm;|25mm',
      '{% headroom %}margin: 10mm 1in{% endheadroom %}|{{ headroom }}': 'margin: 10mm 1in\nmargin-top: 5mm;|5mm',
      '{% headroom %}margin: auto{% endheadroom %}|{{ headroom }}': 'margin: auto\nmargin-top: 0mm;|0mm',
    }))

  it('give access to the user who prints', () =>
    assertOutputs({ '{{ user }} {{ request.user.username }} {{ user.get_full_name }}|': 'superuser superuser |' }))

  it('include those of the library report', () =>
    assertOutputs({
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
      '{% inventree_version %} {% inventree_api_version %} {% inventree_base_url %}': '0.2.0 196 http://stockroom.test',
      '{% global_settings as all %}{{ all.INVENTREE_DEFAULT_CURRENCY }}{{ all|keyvalue:"INVENTREE_DEFAULT_CURRENCY" }}': 'USDUSD',
    }))

  it('convert amounts to another currency if its rate is known', async () => {
    await service.rows("insert into currency_rate (base, currency, rate, updated) values ('EUR', 'USD', 2, now())")
    await assertOutputs({
      '{% render_currency price.price currency="USD" %} {% render_currency price.price currency="EUR" %}': '$2,469.00 €1,234.50',
      '{% render_currency price.price currency="CHF" %} {% render_currency 12.3 currency="USD" %}': '€1,234.50 $12.30',
    })
  })

  it('show pictures, assets and barcodes', async () => {
    const library = {
      ...noLibrary,
      asset: async (name: string) => (name.startsWith('logo.p') ? `report/assets/${name}` : undefined),
    }
    const createPictures = () => ({
      map: { image: '/media/part/secret.pdf' },
      thing: { pk: 1, image: '/media/part_images/a.png', thumbnail: '/media/part_images/a.thumbnail.png' },
    })
    const baseUrl = 'https://stockroom.invalid'
    await assertOutputs(
      {
        '{% part_image thing %}': `${baseUrl}/media/part_images/a.png`,
        '{% company_image thing thumbnail=True %}': `${baseUrl}/media/part_images/a.thumbnail.png`,
        '{{ thing.image.url }}': `${baseUrl}/media/part_images/a.png`,
        '{% uploaded_image thing.image width=100 %}': `${baseUrl}/media/part_images/a.png?width=100`,
        '{% part_image thing height=20 rotate=90 %}': `${baseUrl}/media/part_images/a.png?height=20&amp;rotate=-90`,
        '{% part_image thing preview=True %}': `${baseUrl}/media/part_images/a.preview.png`,
        '{% part_image map %}': `${baseUrl}/static/img/blank_image.png`,
        '{{ map.image.url }}': '',
        '{% part_image missing %}': `${baseUrl}/static/img/blank_image.png`,
        '{% asset "logo.png" %}': `${baseUrl}/media/report/assets/logo.png`,
        '{% logo_image %}': `${baseUrl}/media/report/assets/logo.png`,
      },
      { extra: createPictures, library },
    )
    await assertOutputs({
      '{% with x="/media/part/secret.pdf" %}{{ x.url }}{% uploaded_image x %}{% endwith %}': `${baseUrl}/static/img/blank_image.png`,
    })
    const uri = 'data:image/png;base64,AA=='
    await assertOutputs({ '{% logo_image %}{{ logo }}': `${baseUrl}/static/img/blank_image.png` })
    await assertOutputs({ '{% logo_image %} {{ logo }}': `${uri} ${uri}` }, { library: { ...noLibrary, logo: async () => uri } })
    await assertRejected('{% asset "other.png" %}', /The asset "other.png" does not exist/, { library })
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
    await assertRejected(`{% qrcode "x" fill_color='"/><script>' %}`, /is not a color/)
  })

  it('extend the bases and each other, and include snippets', async () => {
    const snippets: Record<string, string> = {
      'mid.html':
        '{% extends "label/label_base.html" %}{% load report %}{% block content %}mid[{% block inner %}in{% endblock %}]{% endblock content %}',
      'box.html': '<i>{{ title }}{{ part.IPN }}</i>',
      'liquid.html': '{% assign x = title | upcase %}{{ x }}',
    }
    const library = { ...noLibrary, snippet: async (name: string) => snippets[name] }
    const extendingTemplate = '{% extends "snippets/mid.html" %}{% block inner %}own {{ block.super }}{% endblock %}'
    assert.equal(await text(extendingTemplate, { library }), '<div class="content">\nmid[own in]\n</div>')
    assert.equal(await text('{% extends "snippets/mid.html" %}ignored', { library }), '<div class="content">\nmid[in]\n</div>')
    await assertOutputs(
      {
        '{% include "snippets/box.html" with title="A" %}': '<i>ASAMPLE-1</i>',
        '{% include "snippets/box.html" with title=names.0 only %}': '<i>a</i>',
        '{% with file="snippets/box.html" %}{% include file %}{% endwith %}': '<i>SAMPLE-1</i>',
        '{% include "snippets/liquid.html" with title="a" %}': 'A',
      },
      { library },
    )
    for (const [kind, title, total] of [
      ['po', 'Purchase order', '€187.25'],
      ['so', 'Sales order', '€459.50'],
    ] as const) {
      const source = `{% extends "report/inventree_${kind}_report_base.html" %}{% load report %}{% block header_style %}top: 1cm;{% endblock %}`
      const document = (await render(source, { kind: `report/${kind}`, template: { name: 'Order' } })).document(0)
      assert.match(document, /\.header \{\s*top: 1cm;\s*\}/)
      assert.match(document, new RegExp(`<h3>${title} `))
      assert.match(document, /<div class="part-text">\S+ \| [^<]+</)
      assert.ok(document.includes(`<th>Total</th><td>${total}</td>`), total)
    }
  })
})
