import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import sharp from 'sharp'
import { scanImage } from '../../testing/barcode.ts'
import { preparePrinting, printingUnsupported } from '../../testing/printing.ts'
import { extractFields, extractImages, startZplPrinter, type ZplField } from '../../testing/servers/zpl-printer.ts'
import { testService } from '../../testing/service.ts'

const service = await testService(await preparePrinting())
const { member, superuser } = service
const printer = await startZplPrinter()
const LABELS = '/api/label/part/'
const DOTS = 300 / 25.4

/** A name that would end the label, configure the printer, and be hexadecimal digits, if executed as commands. */
const HOSTILE = 'A^XZ~JR^FS_5E'

const SQUARE = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>').toString('base64')}`

let machine: string
let part: number
let hostile: number
before(async () => {
  machine = (await member.post('/api/machine/', { name: 'zpl', machine_type: 'label-printer', driver: 'zpl' })).body.pk
  for (const [key, value] of Object.entries({ HOST: '127.0.0.1', PORT: printer.port, DPI: 300, FORM: 'native' }))
    await member.patch(`/api/machine/${machine}/settings/D/${key}/`, { value })
  const { body: category } = await superuser.post('/api/part/category/', { name: 'Parts' })
  const create = async (name: string) => (await superuser.post('/api/part/', { name, IPN: 'R-1', category: category.pk })).body.pk
  part = await create('Résistor 10k')
  hostile = await create(HOSTILE)
})

async function createTemplate(html: string, size = { width: 60, height: 30 }): Promise<number> {
  const label = `data:text/html,${encodeURIComponent(html)}`
  const created = await superuser.post(LABELS, { name: 'A label', ...size, label })
  assert.equal(created.status, 201, created.text)
  return created.body.pk
}

/** Prints labels, and returns the data that the printer receives. */
async function printLabels(pk: number, parts = `${part}`): Promise<string> {
  printer.text = ''
  const response = await member.post(`${LABELS}${pk}/print/?parts=${parts}&plugin=inventreelabelmachine`, { machine })
  assert.equal(response.status, 200, response.text)
  return printer.text
}

/** Renders the label as a picture with the printer's dots, to find its black areas. */
async function printPicture(pk: number, partKey = part) {
  await superuser.patch('/api/settings/global/LABEL_DPI/', { value: 300 })
  const { body: token } = await member.get('/api/user/token/')
  const { rawPayload } = await service.app.inject({
    url: `${LABELS}${pk}/preview/?part=${partKey}`,
    headers: { authorization: `Token ${token.token}` },
  })
  const picture = sharp(rawPayload).flatten({ background: 'white' }).greyscale()
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true })
  /** Finds the bounds of the black area within the given bounds. */
  const ink = (left: number, top: number, right: number, bottom: number) => {
    const [edge, low] = [{ left: right, top: bottom, right: left, bottom: top }, 128]
    for (let y = Math.max(0, Math.floor(top)); y < Math.min(info.height, bottom); y++)
      for (let x = Math.max(0, Math.floor(left)); x < Math.min(info.width, right); x++)
        if ((data[y * info.width + x] as number) < low) {
          edge.left = Math.min(edge.left, x)
          edge.right = Math.max(edge.right, x + 1)
          edge.top = Math.min(edge.top, y)
          edge.bottom = Math.max(edge.bottom, y + 1)
        }
    return edge
  }
  return { png: rawPayload, width: info.width, height: info.height, ink }
}

const findFieldsByCommand = (fields: ZplField[], name: string) =>
  fields.filter(({ commands }) => commands.some(([one]) => one === name))
const listTexts = (fields: ZplField[]) => findFieldsByCommand(fields, 'A').map(({ data }) => data)
const readNumbers = ({ commands }: ZplField, name: string) =>
  (commands.find(([one]) => one === name)?.[1] ?? '').split(',').map((one) => Number(one.replace(/\D/g, '')))
const assertNear = (one: number, other: number, tolerance: number, description: string) =>
  assert.ok(Math.abs(one - other) <= tolerance, `${description}: ${one} and ${other}`)

const LABEL = `{% extends "label/label_base.html" %}{% block content %}<div class="label">
  <img class="code" src="{{ qr_data | qrcode }}"><div class="text"><div class="name two">{{ part.name }}</div>
  <div style="font-size: 6mm; border-bottom: 0.5mm solid black">{{ part.IPN }}</div></div></div>{% endblock %}`

describe('the zpl driver with native fields', { skip: printingUnsupported }, () => {
  it('has the printer write the texts of a label, with the positions and sizes of its picture', async () => {
    const pk = await createTemplate(LABEL)
    const zpl = await printLabels(pk)
    if (process.env.SHOW_ZPL) writeFileSync(process.env.SHOW_ZPL, zpl)
    assert.match(zpl, /^\^XA\^PW\d+\^LL\d+\^LH0,0\^CI28/)
    const [fields = []] = extractFields(zpl)
    assert.deepEqual(listTexts(fields), ['Résistor 10k', 'R-1'])
    const picture = await printPicture(pk)
    if (process.env.SHOW_ZPL) writeFileSync(`${process.env.SHOW_ZPL}.png`, picture.png)
    const [name, ipn] = findFieldsByCommand(fields, 'A') as [ZplField, ZplField]
    // in the picture, its letters have the baseline and the left edge of the field, and its capitals the height that ZPL states
    const [height = 0] = readNumbers(ipn, 'A').slice(1)
    assertNear(height, 6 * DOTS, 1, 'the size')
    const letters = picture.ink(ipn.x - 10, ipn.y - height, picture.width, ipn.y + 3)
    assertNear(letters.left, ipn.x, 0.12 * height, 'its left edge')
    assertNear(letters.bottom, ipn.y, 2, 'its baseline')
    assertNear(letters.bottom - letters.top, 0.72 * height, 0.06 * height, 'the height of a capital')
    const above = picture.ink(name.x - 10, name.y - 40, picture.width, name.y + 1)
    assertNear(above.bottom, name.y, 3, 'the baseline of the name')
    const [line] = findFieldsByCommand(fields, 'GB') as [ZplField]
    const drawn = picture.ink(line.x - 5, line.y - 5, picture.width, line.y + 15)
    const [wide = 0, high = 0] = readNumbers(line, 'GB')
    assertNear(drawn.left, line.x, 1, 'the left end of the line')
    assertNear(drawn.right - drawn.left, wide, 1, 'its length')
    assertNear(drawn.top, line.y, 1, 'its upper edge')
    assertNear(drawn.bottom - drawn.top, high, 1, 'its breadth')
  })

  it('has the printer draw codes, with the positions and sizes of the picture', async () => {
    const codes = `{% extends "label/label_base.html" %}{% block content %}<div style="display: flex">
      <img style="width: 18mm; height: 18mm" src="{{ part.name | qrcode: level: 'H' }}">
      <img style="width: 12mm; height: 12mm; margin: 1mm" src="{{ part.name | datamatrix }}"></div>
      <img style="width: 50mm; height: 8mm" src="{{ 'R-1234' | code128 }}">{% endblock %}`
    const pk = await createTemplate(codes)
    const plain = await superuser.post('/api/part/', { name: 'R-7', category: 1 })
    assert.equal(plain.status, 201, plain.text)
    const partKey = plain.body.pk
    const [fields = []] = extractFields(await printLabels(pk, `${partKey}`))
    const [qr, matrix, bars] = ['BQ', 'BX', 'BC'].map((name) => findFieldsByCommand(fields, name)[0]) as [
      ZplField,
      ZplField,
      ZplField,
    ]
    assert.deepEqual([qr.data, matrix.data, bars.data], ['HA,R-7', 'R-7', 'R-1234'])
    const picture = await printPicture(pk, partKey)
    const read = await scanImage(picture.png)
    assert.deepEqual(read.map(({ text }) => text).toSorted(), ['R-1234', 'R-7', 'R-7'])
    // 21 modules for seven characters, 10 for three
    const [, , qrDots = 0] = readNumbers(qr, 'BQ')
    const onPicture = picture.ink(0, 0, 18 * DOTS, 18 * DOTS)
    assertNear(qr.x + 1, onPicture.left, qrDots * 2, 'the left edge of the QR code')
    assertNear(qr.y + 1, onPicture.top, qrDots * 2, 'its upper edge')
    assert.ok(qrDots * 21 <= onPicture.right - onPicture.left + 1 && qrDots * 21 > 0.75 * (onPicture.right - onPicture.left))
    const [, matrixDots = 0] = readNumbers(matrix, 'BX')
    const square = picture.ink(19 * DOTS, DOTS, 31 * DOTS, 13 * DOTS)
    assertNear(matrix.x, square.left, matrixDots * 2, 'the left edge of the Data Matrix')
    assertNear(matrix.y, square.top, matrixDots * 2, 'its upper edge')
    assert.ok(matrixDots * 10 <= square.right - square.left + 1 && matrixDots * 10 > 0.75 * (square.right - square.left))
    const [barDots = 0] = readNumbers(bars, 'BY')
    const stripes = picture.ink(0, 16.5 * DOTS, 50 * DOTS, 30 * DOTS)
    assertNear(bars.x, stripes.left, 20, 'the left edge of the bars')
    assertNear(readNumbers(bars, 'BC')[1] as number, stripes.bottom - stripes.top, 2, 'their height')
    assert.ok(barDots >= 1)
  })

  it('has the printer write the built-in labels', async () => {
    const { body: location } = await superuser.post('/api/stock/location/', { name: 'Shelf' })
    for (const [kind, query] of [
      ['part', `parts=${part}`],
      ['location', `locations=${location.pk}`],
    ] as const) {
      const { body } = await member.get(`/api/label/${kind}/`)
      const shipped = body.results.slice(0, 2)
      for (const { pk, name } of shipped) {
        printer.text = ''
        const response = await member.post(`/api/label/${kind}/${pk}/print/?${query}&plugin=inventreelabelmachine`, { machine })
        assert.equal(response.status, 200, response.text)
        const [fields = []] = extractFields(printer.text)
        assert.equal(extractImages(printer.text).length, 0, name)
        assert.ok(
          fields.some(({ commands }) => commands.some(([one]) => one === 'BQ' || one === 'BC')),
          name,
        )
      }
    }
  })

  it('keeps the contents of texts and codes as data, whatever they look like', async () => {
    const pk =
      await createTemplate(`<div>{{ part.name }}</div><img style="width: 20mm; height: 20mm" src="{{ part.name | qrcode }}">
      <img style="width: 20mm; height: 20mm" src="{{ part.name | datamatrix }}">`)
    const zpl = await printLabels(pk, `${hostile},${part}`)
    assert.equal(zpl.match(/\^XZ/g)?.length, 2)
    assert.equal(zpl.match(/\^XA/g)?.length, 2)
    const [fields = []] = extractFields(zpl)
    assert.deepEqual(listTexts(fields), [HOSTILE])
    assert.deepEqual(
      ['BQ', 'BX'].map((name) => findFieldsByCommand(fields, name)[0]?.data),
      [`MA,${HOSTILE}`, HOSTILE],
    )
    // its escape character is not the underscore, which occurs in the text
    assert.equal(
      findFieldsByCommand(fields, 'BX')[0]
        ?.commands.find(([name]) => name === 'BX')?.[1]
        ?.split(',')
        .at(-1),
      '|',
    )
  })

  for (const [description, html] of Object.entries({
    'a letter that its typeface does not have': '<p>Ω</p>',
    Chinese: '<p>电阻</p>',
    'a picture that is not a code': `<img src="${SQUARE}">`,
    'a code that claims to be another': `<img style="width: 9mm; height: 9mm" src="data:image/svg+xml;base64,${Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" data-code="${Buffer.from('{"symbology":"qrcode","text":"x","border":4}').toString('base64')}"><path d="M0 0"/></svg>`).toString('base64')}">`,
    'a code that is too small for whole dots': `<img style="width: 2mm; height: 2mm" src="{{ 'long enough to need many modules' | qrcode }}">`,
    'very many codes':
      '{% for n in (1..30) %}<img style="width: 9mm; height: 9mm; position: absolute" src="{{ part.name | qrcode }}">{% endfor %}',
    'a colour': '<p style="color: #888">x</p>',
    'white on black': '<p style="background: black; color: white">x</p>',
    'black on black': '<p style="background: black">x</p>',
    'something rotated': '<p style="transform: rotate(90deg)">x</p>',
    'a text that is cut off': '<p style="width: 5mm; overflow: hidden; white-space: nowrap">A rather long text</p>',
    'a dotted line': '<p style="border: 1px dotted black">x</p>',
    'something covered': '<p>x</p><p style="background: white; margin-top: -2em">&nbsp;</p>',
    'a shadow': '<p style="text-shadow: 1px 1px black">x</p>',
    'a drawing': '<svg width="10" height="10"><rect width="5" height="5"/></svg>',
    'a picture in its style': '<p style="background-image: linear-gradient(black, white)">x</p>',
    'a picture before a text': `<style>p::before { content: url("${SQUARE}") }</style><p>x</p>`,
    'an upright text': '<p style="writing-mode: vertical-rl">x</p>',
    italics: '<p><i>x</i></p>',
    'a Code 128 with a control character of ZPL': `<img style="width: 50mm; height: 9mm" src="{{ 'a>b' | code128 }}">`,
  }))
    it(`sends a label as a picture if it has ${description}`, async () => {
      const zpl = await printLabels(await createTemplate(html))
      assert.equal(extractImages(zpl).length, 1, zpl.slice(0, 200))
    })

  it('decides for each label separately, and sends pictures if set to', async () => {
    const pk = await createTemplate('<p>{{ part.name }}</p>{% if part.IPN == "R-2" %}<i>x</i>{% endif %}')
    const { body: category } = await superuser.post('/api/part/category/', { name: 'Others' })
    const other = (await superuser.post('/api/part/', { name: 'Other', IPN: 'R-2', category: category.pk })).body.pk
    const zpl = await printLabels(pk, `${part},${other}`)
    assert.deepEqual(extractFields(zpl).map(listTexts), [['Résistor 10k'], []])
    assert.equal(extractImages(zpl).length, 1)
    await member.patch(`/api/machine/${machine}/settings/D/FORM/`, { value: 'picture' })
    assert.equal(extractImages(await printLabels(pk, `${part},${other}`)).length, 2)
    await member.patch(`/api/machine/${machine}/settings/D/FORM/`, { value: 'native' })
  })
})
