import type { TemplateObject } from './objects.ts'

/** The test results of a stock item. */
type TestResults = {
  /** The active tests of its part and of the templates above it, the required ones first. */
  templates: TemplateObject[]
  /** The newest result, by the key of the test. */
  results: Map<string, TemplateObject>
}

/**
 * The variables for the tests of a stock item, each read when a template uses it.
 * @param listName the field with the results of the item: its own only, or including those of installed items
 */
export function testVariables(item: TemplateObject, listName: 'test_results' | 'all_test_results'): Record<string, unknown> {
  let reading: Promise<TestResults> | undefined
  const readOnce = () => {
    reading ??= readTests(item, listName)
    return reading
  }
  const readMap = () =>
    readOnce().then(({ templates }) => Object.fromEntries(templates.map((template) => [getKey(template), template])))
  return {
    get test_keys() {
      return readOnce().then(({ templates, results }) => [...new Set([...templates.map(getKey), ...results.keys()])])
    },
    get test_template_list() {
      return readOnce().then(({ templates }) => templates)
    },
    get test_template_map() {
      return readMap()
    },
    get test_templates() {
      return readMap()
    },
    get results() {
      return readOnce().then(({ results }) => Object.fromEntries(results))
    },
    get result_list() {
      return readOnce().then(({ results }) => [...results.values()])
    },
  }
}

async function readTests(item: TemplateObject, listName: string): Promise<TestResults> {
  const part = (await item.part) as TemplateObject | undefined
  const all = toList(await part?.test_templates).filter(({ enabled }) => enabled)
  const results = new Map<string, TemplateObject>()
  for (const result of toList(await item[listName]).toSorted(compareDates)) {
    const template = result.template_detail as { key: string; test_name: string } | null
    const { username } = (result.user_detail ?? {}) as { username?: string }
    // printed as names, not as primary keys
    Object.assign(result, { key: template?.key, test: template?.key, test_name: template?.test_name, user: username })
    if (template) results.set(template.key, result)
  }
  const required = all.filter((template) => template.required)
  return { templates: [...required, ...all.filter((template) => !template.required)], results }
}

const getKey = ({ key }: TemplateObject): string => String(key)

const toList = (value: unknown): TemplateObject[] => (Array.isArray(value) ? value : [])

const compareDates = (one: TemplateObject, other: TemplateObject): number =>
  String(one.date) < String(other.date) ? -1 : String(one.date) > String(other.date) ? 1 : one.pk - other.pk
