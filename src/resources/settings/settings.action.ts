import { Type } from 'typebox'
import { type Action, action, type Request, type View } from '../../kit/action.ts'
import { type Access, signedIn, staff } from '../../kit/caller.ts'
import { pageLinks } from '../../kit/http.ts'
import * as input from '../../kit/input.ts'
import { readWindow } from '../../kit/list.ts'
import { envelopeSchema } from '../../kit/resource.ts'
import type { Services } from '../../kit/services.ts'
import type { Tx } from '../../kit/tx.ts'
import { builtInChoices, type ChoiceLists } from './choices.ts'
import { listSettings, readSetting, writeSetting } from './endpoints.ts'
import { globalStore, type SettingStore, userStore } from './store.ts'

const text = Type.String()
const textOrNull = Type.Union([text, Type.Null()])

const settingSchema = Type.Object({
  pk: Type.Integer(),
  key: text,
  value: text,
  name: text,
  description: text,
  type: text,
  units: textOrNull,
  choices: Type.Array(Type.Object({ value: text, display_name: text })),
  model_name: textOrNull,
  api_url: textOrNull,
  typ: text,
  user: Type.Optional(Type.Integer()),
})

const body = { value: input.json() }

type Kind = {
  path: string
  what: string
  store: (tx: Tx, caller: number) => SettingStore
  access: { read: Access; write: Access }
  written?: (services: Services, tx: Tx) => void
}

/** Groups are choices of their own: the sign-up group is one of them. */
const choicesNow = async (tx: Tx): Promise<ChoiceLists> => {
  const groups = await tx.query<{ name: string }>('select name from user_group order by name')
  return {
    ...builtInChoices,
    group: [{ value: '', display_name: '' }, ...groups.map(({ name }) => ({ value: name, display_name: name }))],
  }
}

/** The list and detail of one store of settings. Settings cannot be created or deleted; only `value` is written. */
function settingsOf({ path, what, store, access, written }: Kind): (Action | View)[] {
  const read = async ({ tx, caller, params }: Request<typeof body> & { tx: Tx }) =>
    readSetting(store(tx, caller.pk), params.key ?? '', await choicesNow(tx))
  const write = (method: 'PUT' | 'PATCH') => async (request: Request<typeof body> & { tx: Tx }) => {
    const { tx, caller, params, body: given, config } = request
    const value = given.value === undefined ? undefined : JSON.parse(given.value)
    const result = await writeSetting(
      store(tx, caller.pk),
      params.key ?? '',
      method,
      { value },
      { wireForm: config.wireForm, choices: await choicesNow(tx) },
    )
    written?.(request, tx)
    return result
  }
  const detail = { path: `${path}{key}/`, answer: settingSchema }
  return [
    action({
      method: 'GET',
      path,
      summary: `List: ${what}`,
      access: access.read,
      answer: envelopeSchema(settingSchema),
      query: {
        limit: 'How many results the page has.',
        offset: 'How many come before it.',
        ordering: 'pk, key or name; - in front for descending.',
        search: 'Words that must occur in the key.',
      },
      async run({ tx, caller, query, config, url }) {
        const all = await listSettings(store(tx, caller.pk), query, await choicesNow(tx))
        const window = readWindow(query, config.maxPageSize, config.wireForm === 'inventree')
        if (window.limit === undefined) return all
        return {
          count: all.length,
          ...pageLinks(url, query, window.limit, window.offset, all.length),
          results: all.slice(window.offset, window.offset + window.limit),
        }
      },
    }),
    action({ ...detail, method: 'GET', summary: `One of the ${what}`, access: access.read, body, run: read }),
    action({ ...detail, method: 'PUT', summary: `Set one of the ${what}`, access: access.write, body, run: write('PUT') }),
    action({ ...detail, method: 'PATCH', summary: `Set one of the ${what}`, access: access.write, body, run: write('PATCH') }),
  ]
}

/** Global settings. Staff read and write them; `WIRE_FORM=inventree` lets any account read them, as its clients do. */
export const globalSettingActions = (services: Services) =>
  settingsOf({
    path: '/api/settings/global/',
    what: 'global settings',
    store: (tx) => globalStore((sql, values) => tx.query(sql, values)),
    access: { read: services.config.wireForm === 'inventree' ? signedIn : staff, write: staff },
    written: ({ settings }, tx) => tx.after(() => settings.reload()),
  })

/** The caller's own settings. */
export const userSettingActions = () =>
  settingsOf({
    path: '/api/settings/user/',
    what: 'own settings',
    store: (tx, caller) => userStore((sql, values) => tx.query(sql, values), caller),
    access: { read: signedIn, write: signedIn },
  })
