import assert from 'node:assert/strict'
import type { TestService } from './service.ts'

type PartOptions = {
  assembly?: boolean
  component?: boolean
  trackable?: boolean
  active?: boolean
  virtual?: boolean
  variant_of?: number
  is_template?: boolean
  category?: number
  default_location?: number
}

/** Build orders for tests, on the stock of `fillStock`: made by requests, so that every rule is kept. */
export function building(service: TestService) {
  const { member } = service
  let number = 0

  const made = async (path: string, body: object): Promise<number> => {
    const answer = await member.post(path, body)
    assert.equal(answer.status, 201, answer.text)
    return answer.body.pk
  }

  /** A part of which there are no units yet. */
  const part = async (options: PartOptions = {}): Promise<number> => {
    const row = { name: `Thing ${++number}`, description: 'of tests', ...options }
    const names = Object.keys(row)
    const [stored] = await service.rows(
      `insert into part (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')}) returning pk`,
      Object.values(row),
    )
    return stored.pk
  }

  /** A build order for so much of an assembly. */
  const build = (article: number, quantity = 1, fields: object = {}): Promise<number> =>
    made('/api/build/', { reference: `BO-${1000 + ++number}`, part: article, quantity, ...fields })

  /** Every sum that is kept is what a fresh count gives. */
  const assertSums = async (): Promise<void> => {
    for (const check of ['verify_quantities', 'verify_allocations', 'verify_trees'])
      assert.deepEqual(await service.rows(`select * from ${check}()`), [], check)
  }

  return { part, build, assertSums }
}
