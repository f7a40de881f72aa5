import type { TemplateObject } from './objects.ts'

/** The test results of a stock item. */
type Tested = {
  /** The active tests of its part and of the templates above it, the required ones first. */
  templates: TemplateObject[]
  /** The newest result, by the key of the test. */
  results: Map<string, TemplateObject>
}

/**
 * The variables for the tests of a stock item, each read when a template uses it.
 * @param of the name of the item's list of results: its own only, or including those of installed items
 */
export function testVariables(item: TemplateObject, of: 'test_results' | 'all_test_results'): Record<string, unknown> {
  let reading: Promise<Tested> | undefined
  const tested = () => {
    reading ??= read(item, of)
    return reading
  }
  return {
    get test_keys() {
      return tested().then(({ templates, results }) => [...new Set([...templates.map(keyOf), ...results.keys()])])
    },
    get test_template_list() {
      return tested().then(({ templates }) => templates)
    },
    get test_template_map() {
      return tested().then(({ templates }) => Object.fromEntries(templates.map((template) => [keyOf(template), template])))
    },
    get results() {
      return tested().then(({ results }) => Object.fromEntries(results))
    },
    get result_list() {
      return tested().then(({ results }) => [...results.values()])
    },
  }
}

async function read(item: TemplateObject, of: string): Promise<Tested> {
  const part = (await item.part) as TemplateObject | undefined
  const all = listOf(await part?.test_templates).filter(({ enabled }) => enabled)
  const results = new Map<string, TemplateObject>()
  for (const result of listOf(await item[of]).toSorted(byDate)) {
    const template = result.template_detail as { key: string; test_name: string } | null
    const { username } = (result.user_detail ?? {}) as { username?: string }
    // people read names
    Object.assign(result, { key: template?.key, test: template?.key, test_name: template?.test_name, user: username })
    if (template) results.set(template.key, result)
  }
  const required = all.filter((template) => template.required)
  return { templates: [...required, ...all.filter((template) => !template.required)], results }
}

const keyOf = ({ key }: TemplateObject): string => String(key)

const listOf = (value: unknown): TemplateObject[] => (Array.isArray(value) ? value : [])

const byDate = (one: TemplateObject, other: TemplateObject): number =>
  String(one.date) < String(other.date) ? -1 : String(one.date) > String(other.date) ? 1 : one.pk - other.pk
