import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { assertCallers, testService } from '../../testing/service.ts'
import { waitUntil } from '../../testing/until.ts'
import { requestRates } from './fetch-rates.ts'

/** Formats one day's rates as the European Central Bank publishes them. */
const formatRateList = (rates: string) => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender>
		<gesmes:name>European Central Bank</gesmes:name>
	</gesmes:Sender>
	<Cube>
		<Cube time='2026-01-30'>
${rates}
		</Cube>
	</Cube>
</gesmes:Envelope>`

const VALID_RATES = formatRateList(`			<Cube currency='USD' rate='1.25'/>
			<Cube currency='JPY' rate='160.5'/>
			<Cube currency='GBP' rate='0.8'/>
			<Cube currency='ISK' rate='145.10'/>`)

let sourceResponse: { status: number; body: string } = { status: 200, body: VALID_RATES }
let requestCount = 0
const source = createServer(({ url = '' }, response) => {
  requestCount++
  if (url.startsWith('/to/')) response.writeHead(302, { location: decodeURIComponent(url.slice(4)) }).end()
  else response.writeHead(sourceResponse.status, { 'content-type': 'text/xml' }).end(sourceResponse.body)
})
await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
const { port } = source.address() as AddressInfo
/** Number of requests to a server at an internal address, which must not be reachable. */
let internalRequestCount = 0
const internalServer = createServer((_request, response) => {
  internalRequestCount++
  response.end(VALID_RATES)
})
await new Promise<void>((resolve) => internalServer.listen(port, '127.0.0.2', resolve))
after(() => {
  source.close()
  internalServer.close()
})
const sourceUrl = `http://127.0.0.1:${port}/daily.xml`

const service = await testService({ FETCH_ALLOWED_HOSTS: '127.0.0.1' })
const { services } = service.app.routes
const path = '/api/currency/refresh/'
const readRates = async () => (await service.viewer.get('/api/currency/exchange/')).body.exchange_rates
const setSourceUrl = (url: string) =>
  service.staff.patch('/api/plugins/settings/inventreecurrencyexchange/SOURCE_URL/', { value: url })
const changeSetting = (key: string, value: unknown) => service.staff.patch(`/api/settings/global/${key}/`, { value })

before(() => setSourceUrl(sourceUrl))

describe('POST /api/currency/refresh/', () => {
  it("stores the source's rates converted to the default currency, and keeps the rates that it does not list", async () => {
    sourceResponse = { status: 200, body: VALID_RATES }
    await service.staff.put('/api/currency/exchange/', { exchange_rates: { CNY: 7, EUR: 5 } })
    const fetchResponse = await service.staff.post(path)
    assert.equal(fetchResponse.status, 200, fetchResponse.text)
    // one euro is 1.25 dollars
    assert.deepEqual(await readRates(), { CNY: 7, EUR: 0.8, GBP: 0.64, JPY: 128.4, USD: 1 })
  })

  it('rejects an invalid list of rates with the reason, and changes nothing', async () => {
    const stored = await readRates()
    const badResponses: { status: number; body: string }[] = [
      { status: 500, body: VALID_RATES },
      { status: 200, body: '' },
      { status: 200, body: '<html>An error</html>' },
      { status: 200, body: formatRateList('') },
      { status: 200, body: formatRateList(`<Cube currency='USD' rate='abc'/>`) },
      { status: 200, body: formatRateList(`<Cube currency='JPY' rate='160.5'/>`) },
      {
        status: 200,
        body: formatRateList(`<Cube currency='USD' rate='1.25'/>`).replace('<Cube>', `<Cube time='2026-01-29'></Cube><Cube>`),
      },
      { status: 200, body: VALID_RATES + ' '.repeat(200_000) },
    ]
    for (const badResponse of badResponses) {
      sourceResponse = badResponse
      const errorResponse = await service.staff.post(path)
      assert.equal(errorResponse.status, 503, badResponse.body.slice(0, 80))
      assert.match(errorResponse.body.detail, /could not be fetched: InvenTree Currency Exchange: (?!currencyRates|the address)/)
    }
    assert.deepEqual(await readRates(), stored)
  })

  it('rejects a value that is not a URL, and a source that is down', async () => {
    for (const url of ['file:///etc/passwd', 'nothing', 'http://127.0.0.1:1/']) {
      await setSourceUrl(url)
      assert.equal((await service.staff.post(path)).status, 503, url)
    }
    await setSourceUrl(sourceUrl)
  })

  it('rejects an internal source, also as the target of a redirect, and sends nothing there', async () => {
    sourceResponse = { status: 200, body: VALID_RATES }
    const stored = await readRates()
    const buildUrl = (host: string) => `http://${host}:${port}/daily.xml`
    const redirectTo = (target: string) => `http://127.0.0.1:${port}/to/${encodeURIComponent(target)}`
    // only a few of them, since a plugin that fails 20 times in a minute is switched off; the download test covers the others
    const internalUrls = [buildUrl('127.0.0.2'), buildUrl('2130706434'), buildUrl('[::ffff:127.0.0.2]'), buildUrl('0.0.0.0')]
    for (const url of [...internalUrls, redirectTo(buildUrl('127.0.0.2')), redirectTo(redirectTo(`//127.0.0.2:${port}/`))]) {
      await setSourceUrl(url)
      const errorResponse = await service.staff.post(path)
      assert.equal(errorResponse.status, 503, url)
      assert.match(errorResponse.body.detail, /FETCH_ALLOWED_HOSTS/, url)
    }
    assert.equal(internalRequestCount, 0)
    assert.deepEqual(await readRates(), stored)
    // a redirect to an allowed address is followed
    await setSourceUrl(redirectTo(sourceUrl))
    assert.equal((await service.staff.post(path)).status, 200)
    await setSourceUrl(sourceUrl)
  })

  it('rejects a refresh without a plugin, or with an inactive one, which it names', async () => {
    await changeSetting('CURRENCY_UPDATE_PLUGIN', '')
    assert.equal((await service.staff.post(path)).status, 400)
    await changeSetting('CURRENCY_UPDATE_PLUGIN', 'inventreecurrencyexchange')
    const plugin = { plugin: 'inventreecurrencyexchange' }
    await service.superuser.patch('/api/plugins/activate/', { ...plugin, active: false })
    const errorResponse = await service.staff.post(path)
    assert.equal(errorResponse.status, 400)
    assert.match(errorResponse.body.detail, /inventreecurrencyexchange/)
    await service.superuser.patch('/api/plugins/activate/', { ...plugin, active: true })
  })

  it('requires a staff account', async () => {
    sourceResponse = { status: 200, body: VALID_RATES }
    await assertCallers(service, (client) => client.post(path), ['staff', 'superuser'], readRates)
  })
})

describe('background fetching of rates', () => {
  it('fetches rates once when they are too old, however often it checks', async () => {
    sourceResponse = { status: 200, body: VALID_RATES }
    await requestRates(services)
    const before = requestCount
    await service.pool.query(`update currency_rate set updated = now() - interval '2 days', rate = 3`)
    await Promise.all([requestRates(services), requestRates(services)])
    await waitUntil(async () => (await readRates()).EUR === 0.8, 'no rates were fetched')
    assert.equal(requestCount, before + 1)
  })

  it('fetches nothing if the interval is 0, no plugin is selected, or rates are fresh', async () => {
    const before = requestCount
    const countJobs = async () => (await service.rows(`select from pgboss.job where name = 'currency-rates'`)).length
    const jobsBefore = await countJobs()
    await service.pool.query('delete from throttle')
    await requestRates(services)
    await service.pool.query(`update currency_rate set updated = now() - interval '2 days'`)
    await changeSetting('CURRENCY_UPDATE_INTERVAL', 0)
    await requestRates(services)
    await changeSetting('CURRENCY_UPDATE_INTERVAL', 1)
    await changeSetting('CURRENCY_UPDATE_PLUGIN', '')
    await requestRates(services)
    await changeSetting('CURRENCY_UPDATE_PLUGIN', 'inventreecurrencyexchange')
    assert.deepEqual([requestCount, await countJobs()], [before, jobsBefore])
  })
})
