/** The response to a request; a scan of a batch has the status of its entry. */
export type Answered = { status: number; body: any; text: string }

/** One of the clients of a storm. */
export type Client = {
  send(method: string, path: string, body?: unknown): Promise<Answered>
  /** Rows of a statement, for what a request is to name. */
  rows(text: string, values?: unknown[]): Promise<any[]>
  /** What can be undone, newest last; all clients share it. */
  undoable: { path: string; body?: object }[]
}

/** Sends one request of its kind; nothing where there is no object that it could be sent for. */
export type Operation = (client: Client) => Promise<Answered | undefined | 0 | ''>
