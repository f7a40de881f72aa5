import type { Caller } from '../../kit/request/caller.ts'
import type { Library, Print } from '../../printing/rendering.ts'
import type { TestService } from '../../testing/service.ts'
import { createSampleCaller } from '../callers.ts'
import { renderItems } from './render.ts'

/** A caller with every permission, or only with those given. */
export const createCaller = (pk: number, overrides: Partial<Caller> = {}): Caller =>
  createSampleCaller({ pk, username: 'superuser', isStaff: true, isSuperuser: true, ...overrides })

/** An empty library. */
export const noLibrary: Library = {
  snippet: async () => undefined,
  asset: async () => undefined,
  logo: async () => undefined,
  file: async () => undefined,
}

/** Creates functions that print templates from strings, without a surrounding document, and that record the statements. */
export function createRenderer({ app, getPk }: Pick<TestService, 'app' | 'getPk'>) {
  const { services } = app.routes
  const statements: string[] = []
  const executor: Print['reader']['executor'] = {
    queryAsText(statement) {
      statements.push(statement.text)
      return services.database.queryAsText(statement)
    },
  }
  const render = (source: string, print: Partial<Print> = {}) =>
    renderItems({
      kind: 'label/part',
      source,
      template: { name: 'Template', width: 50, height: 20 },
      items: 'sample',
      reader: { caller: createCaller(getPk('superuser')), services, executor },
      baseUrl: 'http://stockroom.test',
      library: noLibrary,
      ...print,
    })
  return {
    statements,
    reader: (caller: Caller): Print['reader'] => ({ caller, services, executor }),
    render,
    /** Renders a template for each item, without the surrounding document. */
    async texts(source: string, print: Partial<Print> = {}): Promise<string[]> {
      const rendered = await render(source, print)
      return Array.from(
        { length: rendered.count },
        (_, index) =>
          /<div class="printed-item" id="printed-item-0"><div[^>]*>(.*)<\/div><\/div>/s.exec(rendered.document(index))?.[1] ?? '',
      )
    },
  }
}
