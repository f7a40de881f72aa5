import { Type } from 'typebox'
import { procedure, view } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { everyone } from '../../../kit/request/caller.ts'

/** The two web interfaces of InvenTree: the classic one, and the newer platform one. */
const METHODS = ['cui', 'pui'] as const
type Method = (typeof METHODS)[number]

/** Cookie in which a browser stores the preferred interface. */
const COOKIE = 'ui_preference'
const YEAR_SECONDS = 31_536_000

const preferenceSchema = Type.Object({
  preferred_method: Type.String({
    enum: [...METHODS],
    description: 'The classic web interface, or the new one.',
  }),
  pui: Type.Boolean({ description: 'Whether it is the new one.' }),
  cui: Type.Boolean({ description: 'Whether it is the classic one.' }),
})

const isMethod = (value: unknown): value is Method => METHODS.some((method) => method === value)

const preferenceResponse = (method: Method) => ({ preferred_method: method, pui: method === 'pui', cui: method === 'cui' })

const contract = { path: '/api/web/ui_preference/', access: everyone, response: preferenceSchema }

export const uiPreference = [
  view({
    ...contract,
    summary: 'Get the preferred web interface',
    description: 'Returns the web interface that this browser prefers; by default the new one.',
    read({ exchange }) {
      const cookieValue = exchange.cookie(COOKIE)
      return preferenceResponse(isMethod(cookieValue) ? cookieValue : 'pui')
    },
  }),
  procedure({
    ...contract,
    method: 'PUT',
    summary: 'Set the preferred web interface',
    description: 'Sets the preferred web interface of this browser. It is stored in a cookie and needs no account.',
    worksOnFullDisk: true,
    // it sets a cookie, so the response must not be stored
    containsSecret: true,
    example: { body: { preferred_method: 'cui' } },
    body: {
      preferred_method: input.choice<Method>(() => METHODS.map((value) => ({ value, label: value })), {
        required: true,
        help: 'The classic web interface, or the new one.',
      }),
    },
    handle({ body, exchange }) {
      const { preferred_method: method } = body
      exchange.setCookie(COOKIE, method, { maxAge: YEAR_SECONDS })
      return preferenceResponse(method)
    },
  }),
]
