import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import sharp from 'sharp'
import { readPdf } from '../../testing/pdf.ts'
import { preparePrinting, printingUnsupported } from '../../testing/printing.ts'
import { extractImages, startZplPrinter } from '../../testing/servers/zpl-printer.ts'
import { testService } from '../../testing/service.ts'
import { waitUntil } from '../../testing/until.ts'

const { DATA_DIR } = await preparePrinting()
mkdirSync(join(DATA_DIR, 'plugins/tried'), { recursive: true })
writeFileSync(
  join(DATA_DIR, 'plugins/tried/index.js'),
  `export default {
    slug: 'tried', name: 'Tried', version: '1.0.0',
    machineDrivers: {
      dummy: {
        name: 'Dummy', type: 'label-printer', labels: 'pdf',
        settings: { MOOD: { type: 'string', default: 'good', name: 'Mood', description: 'How it is.' } },
        init(machine) { if (machine.settings.MOOD === 'bad') throw new Error('it is in a bad mood') },
        status: (machine) => machine.settings.MOOD === 'odd' ? 'well' : { state: 'connected', text: 'Mood: ' + machine.settings.MOOD },
        print({ count, copies, pdf }, machine) {
          if (machine.settings.MOOD === 'lost') throw new Error('the cable is gone')
          if (machine.settings.MOOD === 'empty') return { failed: 'No paper: ' + count + ' x ' + copies, state: 'no-media' }
        },
      },
    },
  }`,
)

const service = await testService({ DATA_DIR })
const { member, superuser, viewer, pool } = service
const MACHINES = '/api/machine/'
const LABELS = '/api/label/part/'

let template: number
const parts: number[] = []
before(async () => {
  const { body: category } = await superuser.post('/api/part/category/', { name: 'Parts' })
  for (const name of ['One', 'Two']) parts.push((await superuser.post('/api/part/', { name, category: category.pk })).body.pk)
  const label = `data:text/html,${encodeURIComponent('<h1 style="margin: 0">{{ part.name }}</h1><p style="color: #999">grey</p>')}`
  template = (await superuser.post(LABELS, { name: 'A label', width: 40, height: 20, label })).body.pk
})
beforeEach(() => pool.query('delete from machine'))

async function createMachine(name: string, driver: string, settings: Record<string, unknown> = {}): Promise<string> {
  const created = await member.post(MACHINES, { name, machine_type: 'label-printer', driver })
  assert.equal(created.status, 201, created.text)
  for (const [key, value] of Object.entries(settings)) {
    const settingResponse = await member.patch(`${MACHINES}${created.body.pk}/settings/D/${key}/`, { value })
    assert.equal(settingResponse.status, 200, settingResponse.text)
  }
  await restart(created.body.pk)
  return created.body.pk
}
const restart = async (pk: string) => (await member.post(`${MACHINES}${pk}/restart/`)).body
const readMachine = async (pk: string) => (await viewer.get(`${MACHINES}${pk}/`)).body
const printLabels = (machine: string | undefined, rest: object = {}, client = member, query = `?parts=${parts}`) =>
  client.post(`${LABELS}${template}/print/${query}&plugin=inventreelabelmachine`, { ...(machine && { machine }), ...rest })

describe('a machine with a driver from a plugin', () => {
  before(() => superuser.patch('/api/plugins/activate/', { plugin: 'tried', active: true }))

  it('is initialized by its driver, and shows its status', async () => {
    const { body: drivers } = await viewer.get(`${MACHINES}drivers/?machine_type=label-printer`)
    assert.deepEqual(
      drivers.map(({ slug, provider_plugin: { slug: plugin }, is_builtin }: never) => [slug, plugin, is_builtin]),
      [
        ['zpl', 'zplprinter', true],
        ['ipp', 'ippprinter', true],
        ['dummy', 'tried', false],
      ],
    )
    const { pk } = (await member.post(MACHINES, { name: 'one', machine_type: 'label-printer', driver: 'dummy' })).body
    await waitUntil(async () => (await readMachine(pk)).initialized, 'the machine was not initialized')
    assert.deepEqual(await readMachine(pk), {
      ...{ pk, name: 'one', machine_type: 'label-printer', driver: 'dummy', active: true, initialized: true },
      ...{ status: 100, status_model: 'LabelPrinterStatus', status_text: 'Mood: good', restart_required: false },
      ...{ is_driver_available: true, machine_errors: [] },
    })
  })

  it('is reinitialized after changes of settings, and shows the error that prevents it from working', async () => {
    const pk = await createMachine('one', 'dummy')
    const settings = (await viewer.get(`${MACHINES}${pk}/settings/`)).body
    assert.deepEqual(settings.map(({ key, config_type }: never) => [key, config_type]), [['LOCATION', 'M'], ['MOOD', 'D']]) // biome-ignore format: pairs
    await member.patch(`${MACHINES}${pk}/settings/D/MOOD/`, { value: 'fine' })
    assert.equal((await readMachine(pk)).restart_required, true)
    assert.deepEqual(await restart(pk), { ok: true })
    const startedMachine = await readMachine(pk)
    assert.deepEqual([startedMachine.restart_required, startedMachine.status_text], [false, 'Mood: fine'])
    await member.patch(`${MACHINES}${pk}/settings/D/MOOD/`, { value: 'bad' })
    assert.deepEqual(await restart(pk), { ok: false })
    const bad = await readMachine(pk)
    assert.deepEqual([bad.initialized, bad.status], [false, -1])
    assert.match(bad.machine_errors[0], /bad mood/)
    await member.patch(`${MACHINES}${pk}/settings/D/MOOD/`, { value: 'odd' })
    await restart(pk)
    assert.match((await readMachine(pk)).machine_errors[0], /no status of a machine/)
  })

  it('is not used while inactive, and remains when the plugin is off', async () => {
    const pk = await createMachine('one', 'dummy')
    const inactiveMachine = (await member.patch(`${MACHINES}${pk}/`, { active: false })).body
    assert.deepEqual([inactiveMachine.initialized, inactiveMachine.status, inactiveMachine.machine_errors], [false, -1, []])
    assert.deepEqual(await restart(pk), { ok: false })
    assert.deepEqual((await printLabels(pk)).status, 400)
    await member.patch(`${MACHINES}${pk}/`, { active: true })
    await superuser.patch('/api/plugins/activate/', { plugin: 'tried', active: false })
    const lost = await readMachine(pk)
    assert.deepEqual([lost.is_driver_available, lost.status, lost.machine_errors], [false, -1, ['Its driver is not there.']])
    assert.deepEqual((await printLabels(pk)).status, 400)
    await superuser.patch('/api/plugins/activate/', { plugin: 'tried', active: true })
    assert.equal((await readMachine(pk)).is_driver_available, true)
  })

  it('prints, and stores which machine an account used last', { skip: printingUnsupported }, async () => {
    const [first, second] = [await createMachine('a', 'dummy'), await createMachine('b', 'dummy')]
    const readLastMachines = async () => (await viewer.get('/api/settings/user/LAST_USED_PRINTING_MACHINES/')).body.value
    const printResponse = await printLabels(undefined, {}, viewer)
    assert.deepEqual(
      [printResponse.status, printResponse.body],
      [200, { success: true, message: '2 labels printed' }],
      printResponse.text,
    )
    assert.equal(printResponse.headers.plugin, 'inventreelabelmachine')
    assert.equal(await readLastMachines(), first)
    await printLabels(second, {}, viewer)
    assert.equal(await readLastMachines(), `${second},${first}`)
    await printLabels(undefined, {}, viewer)
    assert.equal(await readLastMachines(), `${second},${first}`)
    for (const [body, field] of [
      [{ machine: 'x' }, 'machine'],
      [{ machine: '00000000-0000-4000-8000-000000000000' }, 'machine'],
      [{ driver_options: 5 }, 'driver_options'],
      [{ driver_options: { copies: 0 } }, 'driver_options'],
      [{ driver_options: { copies: 'x' } }, 'driver_options'],
    ] as const) {
      const rejection = await printLabels(undefined, body)
      assert.deepEqual([rejection.status, Object.keys(rejection.body)], [400, [field]], JSON.stringify(body))
    }
  })

  it('reports the reason why it did not print, and unknown outcomes', { skip: printingUnsupported }, async () => {
    const pk = await createMachine('one', 'dummy', { MOOD: 'empty' })
    const empty = await printLabels(pk, { driver_options: { copies: 3 } })
    assert.deepEqual([empty.status, empty.body.detail], [503, 'The machine one did not print: No paper: 2 x 3'])
    const current = await readMachine(pk)
    assert.deepEqual([current.status, current.status_text], [301, 'No paper: 2 x 3'])
    await member.patch(`${MACHINES}${pk}/settings/D/MOOD/`, { value: 'lost' })
    const lost = await printLabels(pk)
    assert.equal(lost.status, 503)
    assert.match(lost.body.detail, /^It is unknown whether the machine one printed: .*the cable is gone/)
  })
})

describe('the zpl driver', () => {
  it('prints labels as pictures', { skip: printingUnsupported }, async () => {
    const printer = await startZplPrinter()
    const pk = await createMachine('zpl', 'zpl', { HOST: '127.0.0.1', PORT: printer.port, DPI: 300 })
    assert.deepEqual([(await readMachine(pk)).status, (await readMachine(pk)).machine_errors], [100, []])
    const printResponse = await printLabels(pk, { driver_options: { copies: 2 } })
    assert.deepEqual([printResponse.status, printResponse.body.message], [200, '4 labels printed'], printResponse.text)
    const pictures = extractImages(printer.text)
    assert.deepEqual(pictures.map(({ copies }) => copies), [2, 2]) // biome-ignore format: one line
    for (const [index, { width, rows }] of pictures.entries()) {
      const { body: token } = await member.get('/api/user/token/')
      const preview = await service.app.inject({
        ...{ url: `${LABELS}${template}/preview/?part=${parts[index]}`, headers: { authorization: `Token ${token.token}` } },
      })
      const { data, info } = await sharp(preview.rawPayload)
        .flatten({ background: 'white' })
        .greyscale()
        .raw()
        .toBuffer({ resolveWithObject: true })
      assert.deepEqual([width, rows.length], [info.width, info.height])
      const expected = Array.from({ length: info.height }, (_, y) =>
        Array.from({ length: info.width }, (_, x) => ((data[y * info.width + x] as number) < 128 ? '1' : '0')).join(''),
      )
      assert.deepEqual(rows, expected)
      assert.ok(rows.join('').includes('1'.repeat(5)))
    }
    assert.ok(printer.text.length < 20_000, `${printer.text.length} characters`)
    printer.text = ''
    await printLabels(pk)
    const sharpRows = extractImages(printer.text)[0]?.rows.join('') as string
    await member.patch(`${MACHINES}${pk}/settings/D/DITHER/`, { value: true })
    printer.text = ''
    await printLabels(pk)
    const dithered = extractImages(printer.text)[0]?.rows.join('') as string
    assert.ok(dithered.replaceAll('0', '').length > sharpRows.replaceAll('0', '').length + 100, 'grey gets dots')
  })

  it('does not print without paper, and prints if the printer reports no status', { skip: printingUnsupported }, async () => {
    const printer = await startZplPrinter()
    const pk = await createMachine('zpl', 'zpl', { HOST: '127.0.0.1', PORT: printer.port })
    printer.paperOut = true
    const rejection = await printLabels(pk)
    assert.deepEqual([rejection.status, rejection.body.detail], [503, 'The machine zpl did not print: It has no paper.'])
    assert.equal(printer.text, '')
    assert.deepEqual([(await readMachine(pk)).status, (await readMachine(pk)).status_text], [301, 'It has no paper.'])
    Object.assign(printer, { paperOut: false, isSilent: true })
    assert.equal((await printLabels(pk)).status, 200)
    assert.equal(extractImages(printer.text).length, 2)
    await restart(pk)
    assert.equal((await readMachine(pk)).status, 101)
  })

  it('reports that a printer is off, and settings that are missing', { skip: printingUnsupported }, async () => {
    const pk = await createMachine('zpl', 'zpl')
    assert.deepEqual((await readMachine(pk)).machine_errors, ['Its setting "Host" is empty.'])
    await member.patch(`${MACHINES}${pk}/settings/D/HOST/`, { value: '127.0.0.1' })
    await member.patch(`${MACHINES}${pk}/settings/D/PORT/`, { value: 1 })
    await restart(pk)
    const { status, status_text: text } = await readMachine(pk)
    assert.deepEqual([status, text], [400, 'It cannot be reached at 127.0.0.1:1: it refused the connection.'])
    const rejection = await printLabels(pk)
    assert.deepEqual([rejection.status, rejection.body.detail], [503, `The machine zpl did not print: ${text}`])
  })
})

/** An IPP printer, with the requests that it received and its responses. */
async function startIppPrinter() {
  const printer = {
    requests: [] as { operation: number; body: Buffer }[],
    response: Buffer.alloc(0) as Buffer,
    status: 200,
    uri: '',
  }
  const server = createHttpServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    printer.requests.push({ operation: body.readUInt16BE(2), body })
    response.writeHead(printer.status, { 'content-type': 'application/ipp' }).end(printer.response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  printer.uri = `ipp://127.0.0.1:${(server.address() as AddressInfo).port}/ipp/print`
  return printer
}

/** A response of a printer, in the format of RFC 8010. */
function createIppResponse(status: number, attributes: [tag: number, name: string, value: string | number][] = []): Buffer {
  const prefixLength = (bytes: Buffer) => Buffer.concat([Buffer.of(bytes.length >> 8, bytes.length & 255), bytes])
  const encodeInteger = (value: number) => Buffer.of(0, 0, value >> 8, value & 255)
  return Buffer.concat([
    Buffer.of(1, 1, status >> 8, status & 255, 0, 0, 0, 1, 4),
    ...attributes.map(([tag, name, value]) =>
      Buffer.concat([
        Buffer.of(tag),
        prefixLength(Buffer.from(name)),
        prefixLength(typeof value === 'number' ? encodeInteger(value) : Buffer.from(value)),
      ]),
    ),
    Buffer.of(3),
  ])
}

describe('the ipp driver', () => {
  it('has a printer print the PDF, and queries its status', { skip: printingUnsupported }, async () => {
    const printer = await startIppPrinter()
    printer.response = createIppResponse(0, [
      [0x23, 'printer-state', 5],
      [0x44, 'printer-state-reasons', 'media-empty-error'],
      [0x44, '', 'door-open'],
    ])
    const pk = await createMachine('ipp', 'ipp', { URI: printer.uri })
    const { status, status_text: text } = await readMachine(pk)
    assert.deepEqual([status, text], [301, 'media-empty-error, door-open'])
    assert.ok(printer.requests.every(({ operation }) => operation === 0x0b))
    printer.requests = []
    printer.response = createIppResponse(1)
    const printResponse = await printLabels(pk, { driver_options: { copies: 3 } })
    assert.deepEqual([printResponse.status, printResponse.body.message], [200, '6 labels printed'], printResponse.text)
    const printRequests = printer.requests.filter(({ operation }) => operation === 2)
    assert.equal(printRequests.length, 1)
    const { body } = printRequests[0] as { body: Buffer }
    const pdfStart = body.indexOf('%PDF')
    const pages = await readPdf(body.subarray(pdfStart))
    assert.deepEqual(pages.map(({ text: one }) => one), ['One', 'Two']) // biome-ignore format: one line
    const head = body.subarray(0, pdfStart)
    assert.equal(head.at(-1), 3)
    const uri = Buffer.concat([Buffer.from('\x45\0\x0bprinter-uri\0'), Buffer.of(printer.uri.length), Buffer.from(printer.uri)])
    for (const part of [
      uri,
      Buffer.from('\x49\0\x0fdocument-format\0\x0fapplication/pdf'),
      Buffer.from('\x02\x21\0\x06copies\0\x04\0\0\0\x03'),
    ])
      assert.ok(head.includes(part), part.toString())
    printer.response = createIppResponse(0, [[0x23, 'printer-state', 3]])
    await restart(pk)
    assert.equal((await readMachine(pk)).status, 100)
  })

  it("reports a printer's errors, that it is off, and unknown outcomes", { skip: printingUnsupported }, async () => {
    const printer = await startIppPrinter()
    const pk = await createMachine('ipp', 'ipp', { URI: printer.uri })
    printer.response = createIppResponse(0x507, [[0x41, 'status-message', 'Busy']])
    assert.equal(
      (await printLabels(pk)).body.detail,
      'The machine ipp did not print: It rejected the request with status 0x0507. Busy',
    )
    printer.status = 401
    assert.equal((await printLabels(pk)).body.detail, 'The machine ipp did not print: It returned HTTP 401.')
    Object.assign(printer, { status: 200, response: Buffer.from('hello') })
    assert.match((await printLabels(pk)).body.detail, /^It is unknown whether the machine ipp printed: .*its response is not IPP/)
    await member.patch(`${MACHINES}${pk}/settings/D/URI/`, { value: 'ipp://127.0.0.1:1/' })
    assert.match(
      (await printLabels(pk)).body.detail,
      /did not print: It cannot be reached at 127.0.0.1:1: it refused the connection/,
    )
    assert.equal((await readMachine(pk)).status, 400)
    await member.patch(`${MACHINES}${pk}/settings/D/URI/`, { value: 'file:///etc/passwd' })
    assert.match((await printLabels(pk)).body.detail, /is not the URL of a printer/)
  })
})
