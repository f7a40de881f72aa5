import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { asyncProperty, constantFrom, assert as verify } from 'fast-check'
import { Exact } from '../../kit/values/decimal.ts'
import { testService } from '../../testing/service.ts'

const service = await testService()
const { member } = service

const create = async (path: string, body: object) => {
  const { status, body: created, text } = await member.post(path, body)
  assert.equal(status, 201, text)
  return created
}
const createTemplate = async (name: string, units = ''): Promise<number> =>
  (await create('/api/part/parameter/template/', { name, units })).pk
const createParameter = (part: number, template: number, data: string) => create('/api/part/parameter/', { part, template, data })

describe('filters of lists by parameters', () => {
  let category: number
  let inductance: number
  let mark: number
  const parts: number[] = []
  before(async () => {
    category = (await create('/api/part/category/', { name: 'Coils' })).pk
    inductance = await createTemplate('Inductance', 'H')
    mark = await createTemplate('Mark')
    for (const [name, value, text] of [
      ['L1', '1 uH', 'alpha'],
      ['L2', '4u7', 'Beta'],
      ['L3', '0.0001', 'gamma'],
      ['L4', undefined, 'delta'],
    ] as const) {
      const { pk } = await create('/api/part/', { name, category })
      parts.push(pk)
      if (value) await createParameter(pk, inductance, value)
      await createParameter(pk, mark, text)
    }
  })
  const listMatches = async (query: string): Promise<string[]> => {
    const { status, body } = await member.get(`/api/part/?category=${category}&${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body.results.map(({ name }: { name: string }) => name)
  }

  it('find any of several values, and a part of a text', async () => {
    assert.deepEqual(await listMatches(`parameter_${inductance}_in=1000 nH, 4u7`), ['L1', 'L2'])
    assert.deepEqual(await listMatches(`parameter_${inductance}_in=,`), [])
    assert.deepEqual(await listMatches(`parameter_${mark}_in=ALPHA,delta`), ['L1', 'L4'])
    assert.deepEqual(await listMatches(`parameter_${mark}_icontains=MM`), ['L3'])
    assert.deepEqual(await listMatches(`parameter_${mark}_icontains=${encodeURIComponent('%')}`), [])
    for (const values of ['1 uH,5 V', Array.from({ length: 101 }, (_, n) => n).join()]) {
      const { status, body } = await member.get(`/api/part/?parameter_${inductance}_in=${values}`)
      assert.deepEqual([status, Object.keys(body)], [400, [`parameter_${inductance}_in`]])
    }
  })

  it('count all matches of several filters, with and without others', async () => {
    const count = async (query: string) => (await member.get(`/api/part/?limit=1&${query}`)).body.count
    const filters = `parameter_${inductance}_gte=4.7 uH&parameter_${mark}_icontains=a`
    assert.equal(await count(filters), 2)
    assert.equal(await count(`category=${category}&${filters}`), 2)
    assert.equal(await count(`${filters}&parameter_${mark}=beta`), 1)
    assert.equal(await count(`${filters}&search=L3`), 1)
    await service.rows(`update parameter set data = 'zzz' where data = 'gamma'`)
    assert.equal(await count(filters), 1)
    await service.rows(`update parameter set data = 'gamma' where data = 'zzz'`)
  })

  it('apply to stock by the parameters of its parts', async () => {
    for (const part of parts) await create('/api/stock/', { part, quantity: 5 })
    const listStock = async (query: string): Promise<number[]> =>
      (await member.get(`/api/stock/?${query}`)).body.results.map(({ part }: { part: number }) => part).sort()
    assert.deepEqual(await listStock(`parameter_${inductance}_lte=4.7 uH`), [parts[0], parts[1]])
    assert.deepEqual(await listStock(`parameter_${inductance}_gt=1&part=${parts[0]}`), [])
    const { status, body } = await member.get(`/api/stock/?parameter_${inductance}=5 V`)
    assert.deepEqual([status, Object.keys(body)], [400, [`parameter_${inductance}`]])
  })

  it('compare exactly, whatever the prefixes of value and filter', async () => {
    const capacitance = await createTemplate('Capacitance', 'F')
    // pairs of equal amounts in other words, and neighbors that differ in the sixth digit
    const samples = ['0.1', '0.3', '0.100001', '1.1', '2.675', '100', '300', '100.001', '1100', '2675'].flatMap((amount) =>
      Object.entries({ p: -12, n: -9, u: -6, m: -3 }).map(([prefix, power]) => ({
        text: `${amount}${prefix}F`,
        size: new Exact(amount).times(`1e${power}`),
      })),
    )
    for (const { text } of samples) {
      const { pk } = await create('/api/part/', { name: `Capacitor ${text}`, category })
      await createParameter(pk, capacitance, text)
    }
    await verify(
      asyncProperty(
        constantFrom(...samples),
        constantFrom('', '_gte', '_lte', '_gt', '_lt', '_ne'),
        async ({ text, size }, suffix) => {
          const expected = samples.filter((sample) => {
            const order = sample.size.comparedTo(size)
            return { '': order === 0, _gte: order >= 0, _lte: order <= 0, _gt: order > 0, _lt: order < 0, _ne: order !== 0 }[
              suffix
            ]
          })
          const { body } = await member.get(`/api/part/?parameter_${capacitance}${suffix}=${encodeURIComponent(text)}&limit=1`)
          assert.equal(body.count, expected.length, `${suffix} ${text}`)
        },
      ),
      { numRuns: 100 },
    )
  })
})
