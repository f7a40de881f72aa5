import { type Static, Type } from 'typebox'

/** The state of a background task, as clients of API 464 and newer poll it. */
export const taskSchema = Type.Object({
  task_id: Type.String({ description: 'The key of the task; empty if the work was done within the request.' }),
  exists: Type.Boolean({ description: 'Whether there is a task with this key.' }),
  pending: Type.Boolean({ description: 'Whether it waits for a run.' }),
  complete: Type.Boolean({ description: 'Whether it has ended.' }),
  success: Type.Boolean({ description: 'Whether it has ended without an error.' }),
  http_status: Type.Integer({ description: 'The status with which this state is sent: 404 for an unknown task, else 200.' }),
})

/** The response of an operation that InvenTree hands to the background, and this service does at once. */
export const DONE_AT_ONCE: Static<typeof taskSchema> = {
  task_id: '',
  exists: false,
  pending: false,
  complete: true,
  success: true,
  http_status: 200,
}

/** The same for operations whose response is another one in API 196. */
export const taskResponse = { status: 200, response: taskSchema, result: DONE_AT_ONCE }
