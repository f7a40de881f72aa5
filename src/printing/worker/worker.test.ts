import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { listProcessTree } from '../../processes.ts'
import { createCaller, createRenderer, noLibrary } from '../../resources/printing/fixture.ts'
import { testService } from '../../testing/service.ts'
import { waitUntil } from '../../testing/until.ts'
import { type Print, TemplateError } from '../rendering.ts'

// Malicious templates: each may fail its own print, and must affect nothing else.

const service = await testService()
const { texts, render, reader } = createRenderer(service)

const DJANGO = '{% load report %}'

/** Returns the process IDs of the running workers of this process. */
const listWorkerPids = (): number[] =>
  listProcessTree(process.pid).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('template-worker')
    } catch {
      return false
    }
  })

/** Counts turns of this process's event loop during some work: a blocked service cannot respond. */
async function countTurns<T>(work: Promise<T>): Promise<{ value: PromiseSettledResult<T>; turns: number }> {
  let turns = 0
  let isDone = false
  const turn = () => {
    turns++
    if (!isDone) setImmediate(turn)
  }
  turn()
  const [value] = await Promise.allSettled([work])
  isDone = true
  return { value: value as PromiseSettledResult<T>, turns }
}

/** Asserts that a template is rejected with this message, and that the next print succeeds. */
async function assertRejected(source: string, message: RegExp, print: Partial<Print> = {}): Promise<number> {
  const { value, turns } = await countTurns(texts(source, print))
  assert.equal(value.status, 'rejected', `printed: ${source.slice(0, 100)}`)
  const error = (value as PromiseRejectedResult).reason
  assert.ok(error instanceof TemplateError, String(error.stack))
  assert.match(error.message, message)
  assert.deepEqual(await texts('{{ part.IPN }}'), ['SAMPLE-1'])
  return turns
}

/** Asserts the same, and that this process is not blocked in the meantime. */
const assertRejectedConcurrently = async (...args: Parameters<typeof assertRejected>): Promise<void> =>
  assert.ok((await assertRejected(...args)) > 3, 'this process was blocked')

/** A list with thousands of entries that are the same long string: small in memory, and a gigabyte on output. */
const HUGE_LIST = `{% assign long = "Ω" %}{% for i in (1..17) %}{% assign long = long | append: long %}{% endfor %}{% assign list = "a,b" | split: "," %}{% for i in (1..60) %}{% assign list = list | push: long %}{% endfor %}{% for i in (1..6) %}{% assign list = list | concat: list %}{% endfor %}`

describe('a number that is very long when written out', () => {
  const hugeNumbers = ['1e999999999', '1e3000000', '-1e99999999', '1e-999999999', '9e1001', '1e1000000000000000000000']
  const filters = ['plus: 1', 'minus: 1', 'times: 2', 'divided_by: 3', 'modulo: 7', 'round', 'round: 2', 'ceil', 'floor', 'abs']
  const otherFilters = ['number', 'number: 2', 'units: "m"', 'money: "EUR"', 'at_least: 5', 'at_most: 5']
  const extra = () => ({ numbers: hugeNumbers, list: hugeNumbers.map((value) => ({ value })) })

  it('is rejected by filters of Liquid, on every path', { timeout: 60_000 }, async () => {
    for (const filter of filters)
      for (const number of hugeNumbers) await assertRejected(`{{ "${number}" | ${filter} }}`, /is not a number/)
    await assertRejected('{{ numbers | sum }}', /is not a number/, { extra })
    await assertRejected('{{ list | sum: "value" }}', /is not a number/, { extra })
    await assertRejected('{{ 1 | plus: numbers[0] }}', /is not a number/, { extra })
    for (const filter of otherFilters) {
      const { value } = await countTurns(texts(hugeNumbers.map((number) => `{{ "${number}" | ${filter} }}`).join('')))
      if (value.status === 'fulfilled') assert.ok((value.value[0] ?? '').length < 10_000, filter)
      else assert.ok(value.reason instanceof TemplateError)
    }
  })

  it('is rejected in Django syntax, in a file name, and when computed in steps', { timeout: 60_000 }, async () => {
    for (const number of hugeNumbers) {
      const source = `${DJANGO}{% with x="${number}" %}{{ x|floatformat:2 }}{{ x|add:1 }}{{ x|stringformat:"d" }}{{ x|filesizeformat }}{% add x 1 %}{% format_number x decimal_places=2 %}{% render_currency x currency="EUR" %}{% widthratio x 1 100 %}{% endwith %}`
      const { value } = await countTurns(texts(source))
      if (value.status === 'fulfilled') assert.ok((value.value[0] ?? '').length < 10_000)
      else assert.ok(value.reason instanceof TemplateError, String(value.reason))
    }
    const filename_pattern = '{{ "1e999999999" | plus: 1 }}'
    await assertRejected('x', /is not a number/, { template: { name: 'Template', filename_pattern } })
    const grown = '{% assign x = 9 %}{% for i in (1..60) %}{% assign x = x | times: x %}{% endfor %}{{ x }}'
    await assertRejected(grown, /is not a number|cannot be evaluated/)
  })
})

describe('a template that takes too much memory', () => {
  it('is rejected if it does so in one step: in a thread it would end the service', { timeout: 120_000 }, async () => {
    await assertRejectedConcurrently(`${HUGE_LIST}{{ list }}`, /more than 768 MB of memory/)
  })

  const bombs: Record<string, string> = {
    'a string in place of each letter':
      '{% assign x = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" %}{% for i in (1..9) %}{% assign x = x | replace: "a", x %}{% endfor %}{{ x }}',
    'a long string between long strings': `${HUGE_LIST}{{ list | join: long }}`,
    'lists of letters': `${DJANGO}{% with a="xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"|make_list %}{% with b=a|add:a %}{% with c=b|add:b|add:b|add:b %}{% with s=c|join:c %}{% with t=s|make_list %}{{ t|join:s }}{{ t|join:t }}{% endwith %}{% endwith %}{% endwith %}{% endwith %}{% endwith %}`,
  }
  for (const [name, bomb] of Object.entries(bombs))
    it(`is rejected (${name})`, { timeout: 120_000 }, async () => void (await assertRejected(bomb, /./)))
})

describe('a template that takes too long', () => {
  /** Nested barcodes: each takes most of a second, and the time is not checked between two filters. */
  const UNINTERRUPTIBLE = `{{ code${' | qrcode | slice: 40, 1500'.repeat(60)} }}`
  const extra = () => ({ code: 'A1b!'.repeat(375) })

  it('is rejected where its tags can be counted', () =>
    assertRejectedConcurrently(
      `{% assign x = (1..999) %}${'{% for a in x %}'.repeat(4)}${'{% endfor %}'.repeat(4)}`,
      /longer than 0.3 seconds/,
      {
        milliseconds: 300,
      },
    ))

  it('is rejected within one output that cannot be interrupted', { timeout: 60_000 }, async () => {
    await assertRejectedConcurrently(UNINTERRUPTIBLE, /longer than 0.2 seconds/, { extra, milliseconds: 200 })
  })

  it('is rejected during parsing, too', { timeout: 60_000 }, async () => {
    const source = Array.from({ length: 4_000 }, (_, index) => `{{ x | f${index} }}`).join('\n')
    await assert.rejects(texts(`${source}${'\n'.repeat(900_000)}`), TemplateError)
    assert.deepEqual(await texts('{{ part.IPN }}'), ['SAMPLE-1'])
  })

  it('uses at most the available workers, and leaves none behind', { timeout: 120_000 }, async () => {
    const endless = `{% assign x = (1..999) %}${'{% for a in x %}'.repeat(4)}${'{% endfor %}'.repeat(4)}`
    let peak = 0
    const timer = setInterval(() => {
      peak = Math.max(peak, listWorkerPids().length)
    }, 20)
    const prints = Array.from({ length: 12 }, (_, index) =>
      index % 2 ? texts(endless, { milliseconds: 200 }) : texts(UNINTERRUPTIBLE, { extra, milliseconds: 200 }),
    )
    const results = await Promise.allSettled(prints)
    clearInterval(timer)
    for (const { status } of results) assert.equal(status, 'rejected')
    // a stopped worker may still exist when another starts
    assert.ok(peak <= 6, `${peak} workers`)
    await waitUntil(() => listWorkerPids().length <= 3, 'workers are left')
    assert.deepEqual(await texts('{{ part.IPN }}'), ['SAMPLE-1'])
  })
})

describe('data that a template requests', () => {
  it('is read one request at a time, up to a limit', { timeout: 60_000 }, async () => {
    let [running, peak, count] = [0, 0, 0]
    const library = {
      ...noLibrary,
      async snippet() {
        peak = Math.max(peak, ++running)
        count++
        await new Promise((resolve) => setImmediate(resolve))
        running--
        return 'x'
      },
    }
    const source = '{% for i in (1..5000) %}{% assign n = "snippets/" | append: i %}{% include n %}{% endfor %}'
    await assertRejected(source, /reads data more than 1000 times/, { library })
    assert.deepEqual([peak, count], [1, 1_000])
    await texts('{% for i in (1..5000) %}{% include "snippets/a" %}{% endfor %}', { library })
    assert.equal(count, 1_001, 'data that was read before is read again')
  })

  it("fails with the original error, which is not the template's fault", async () => {
    const failingLibrary = { ...noLibrary, snippet: () => Promise.reject(new Error('the database is gone')) }
    await assert.rejects(texts('{% include "snippets/a" %}', { library: failingLibrary }), /^Error: the database is gone$/)
    assert.deepEqual(await texts('{{ part.IPN }}'), ['SAMPLE-1'])
  })

  it("is limited to the caller's permissions, regardless of earlier prints", async () => {
    const { body } = await service.superuser.post('/api/part/category/', { name: 'Secret' })
    const part = (await service.superuser.post('/api/part/', { name: 'Part', category: body.pk })).body.pk
    const item = (await service.superuser.post('/api/stock/', { part, quantity: 1 })).body.pk
    const print = { kind: 'label/stock', items: [item] } as const
    assert.deepEqual(await texts('{{ part.name }} {{ part.category.name }}', print), ['Part Secret'])
    const roles = new Map([['stock', new Set(['view'] as const)]])
    const caller = createCaller(service.getPk('member'), { isSuperuser: false, isStaff: false, roles })
    assert.deepEqual(await texts('{{ part.name }} {{ part.category.name }}', { ...print, reader: reader(caller) }), [''])
  })
})

describe('a worker that ends', () => {
  const createKillingLibrary = (times: number) => {
    let killed = 0
    return {
      ...noLibrary,
      async snippet() {
        if (killed++ < times) for (const pid of listWorkerPids()) process.kill(pid, 'SIGKILL')
        return 'snippet'
      },
    }
  }

  it('is replaced without an error during a request for data', async () => {
    await texts('x')
    assert.deepEqual(await texts('{% include "snippets/a" %}', { library: createKillingLibrary(1) }), ['snippet'])
  })

  it('is reported if it ends repeatedly', async () => {
    await texts('x')
    await assertRejected('{% include "snippets/a" %}', /template worker ended/, { library: createKillingLibrary(9) })
  })

  it('is replaced if it was idle', async () => {
    await texts('x')
    for (const pid of listWorkerPids()) process.kill(pid, 'SIGKILL')
    assert.deepEqual(await texts('{{ part.IPN }}'), ['SAMPLE-1'])
  })
})

describe('the state that a template leaves behind', () => {
  const maliciousTemplates = [
    '{% assign __proto__ = "evil" %}{% capture __proto__ %}evil{% endcapture %}{% assign x = __proto__ %}',
    '{% for __proto__ in (1..2) %}{% increment __proto__ %}{% decrement constructor %}{% endfor %}',
    '{% assign x = part["__proto__"] %}{% assign y = part | map: "__proto__" %}{% assign z = part.constructor.prototype %}',
    '{% cycle "__proto__": 1, 2 %}{% tablerow __proto__ in (1..2) %}{{ __proto__ }}{% endtablerow %}',
    `${DJANGO}{% cycle 1 2 as polluted %}{% with constructor=1 prototype=2 polluted=3 %}{{ polluted }}{% endwith %}{% regroup names by constructor as toString %}`,
    `${DJANGO}{% now "Y" as hasOwnProperty %}{% setting_object "__proto__" as a %}`,
  ]

  it('is empty for the next print', async () => {
    const extra = () =>
      JSON.parse('{"__proto__": {"polluted": "evil"}, "constructor": {"prototype": {"polluted": "evil"}}, "names": []}')
    for (const source of maliciousTemplates) await Promise.allSettled([texts(source, { extra }), render(source)])
    const probe =
      '{{ polluted }}{{ part.polluted }}{{ part.name.polluted }}{{ forloop.polluted }}{% for a in (1..1) %}{{ forloop.polluted }}{% endfor %}'
    assert.deepEqual(await texts(probe), [''])
    assert.deepEqual(await texts(`${DJANGO}${probe.replaceAll('(1..1)', '"a"')}`), [''])
    assert.equal(({} as Record<string, unknown>).polluted, undefined)
    const library = { ...noLibrary, snippet: async () => JSON.stringify({ __proto__: { polluted: 'evil' } }) }
    assert.deepEqual(await texts('{% include "snippets/a" %}', { library }), ['{}'])
  })
})

describe('accounts that print at the same time', () => {
  it('do not wait for the prints of one of them, however large', { timeout: 60_000 }, async () => {
    const gate = Promise.withResolvers<string>()
    let startedCount = 0
    const library = {
      ...noLibrary,
      snippet: () => {
        startedCount++
        return gate.promise
      },
    }
    const flood = Array.from({ length: 20 }, () => texts('{% include "snippets/a" %}', { library }))
    await waitUntil(() => startedCount === 2, 'the prints do not start')
    const otherReader = reader(createCaller(service.getPk('member')))
    for (let count = 0; count < 5; count++) assert.deepEqual(await texts('{{ part.IPN }}', { reader: otherReader }), ['SAMPLE-1'])
    assert.equal(startedCount, 2)
    gate.resolve('x')
    for (const [text] of await Promise.all(flood)) assert.equal(text, 'x')
  })
})

describe('a label', () => {
  it('has at most the number of elements that print fast', async () => {
    await assertRejected('{% for i in (1..50000) %}<div>{% endfor %}', /at most 5000 elements/)
    const output = await texts('{% for i in (1..5000) %}<b></b>{% endfor %}')
    assert.equal(output[0]?.length, 5_000 * '<b></b>'.length)
    await render('{% for i in (1..5001) %}<b></b>{% endfor %}', { kind: 'report/po', template: { name: 'Order' } })
  })
})
