/** The response to a request; a scan in a batch has the status of its entry. */
export type StormResponse = { status: number; body: any; text: string }

/** One of the clients of a storm. */
export type Client = {
  send(method: string, path: string, body?: unknown): Promise<StormResponse>
  /** Returns the rows of a statement, to choose the objects of a request. */
  rows(text: string, values?: unknown[]): Promise<any[]>
  /** Operations that can be undone, newest last; shared by all clients. */
  undoable: { path: string; body?: object }[]
}

/** Sends one request of its kind; nothing if there is no suitable object. */
export type Operation = (client: Client) => Promise<StormResponse | undefined | 0 | ''>
