import type { PlainKey } from '../../../kit/language/language.ts'
import { change, get } from '../../../kit/service/api.ts'
import type { Group, RightField } from './rights.ts'

type Rights = Partial<Record<RightField, true>>

/** Adding includes changing. The service lets accounts that may add receive, ship and complete. */
const ADD: Rights = { can_add: true }
const ALL: Rights = { can_add: true, can_delete: true }

/** Rights of a new group beyond viewing everything, by role: for the work of a kind of people. Printing needs viewing alone. */
export const PRESETS = {
  'read-only': {},
  storekeeper: {
    stock: ALL,
    stock_location: ALL,
    stocktake: ALL,
    transfer_order: ALL,
    purchase_order: ADD,
    sales_order: ADD,
    return_order: ADD,
  },
  buyer: { part_category: ADD, part: ADD, purchase_order: ALL },
  production: { part: ADD, bom: ALL, build: ALL, stock: ADD, transfer_order: ADD },
} as const satisfies Record<string, Readonly<Record<string, Rights>>>

export type PresetName = keyof typeof PRESETS
export const PRESET_NAMES = Object.keys(PRESETS) as readonly PresetName[]

/** The name of a preset, and what it is for. */
export const PRESET_KEYS = {
  'read-only': { name: 'people.preset.read-only', about: 'people.preset.read-only.about' },
  storekeeper: { name: 'people.preset.storekeeper', about: 'people.preset.storekeeper.about' },
  buyer: { name: 'people.preset.buyer', about: 'people.preset.buyer.about' },
  production: { name: 'people.preset.production', about: 'people.preset.production.about' },
} as const satisfies Record<PresetName, { name: PlainKey; about: PlainKey }>

/** Gives a new group, which can view everything, the permissions of a preset. @throws ApiError */
export async function applyPreset(group: number, name: PresetName): Promise<void> {
  const rights: Readonly<Record<string, Rights>> = PRESETS[name]
  const { roles } = (await get<Group>(`/api/user/group/${group}/?role_detail=true`)).body
  for (const { pk, name: role } of roles) if (rights[role]) await change(`/api/user/ruleset/${pk}/`, rights[role], undefined)
}
