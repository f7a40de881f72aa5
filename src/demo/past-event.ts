import type { Calendar } from './calendar.ts'
import type { Client } from './client.ts'
import type { Day } from './data/order.ts'
import type { Keys } from './keys.ts'

/** An event in the workshop on a day in the past. */
export type DemoEvent = { day: Day; run(): Promise<unknown> }

/** The client, keys and calendar that events use. */
export type DemoContext = { client: Client; keys: Keys; calendar: Calendar }
