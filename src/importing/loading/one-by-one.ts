import type { PoolClient } from 'pg'

/** The database's reason for rejecting a row: the SQLSTATE, and the names that it reports. A name that it does not report is empty. */
export type RowWriteError = { code: string; table: string; column: string; constraint: string }

/**
 * SQL of a function that runs statements for each row of a list separately, in one round trip. It catches errors of class 22, a value that
 * does not fit its column, and of class 23, a violated constraint. Any other error is not caused by a row.
 */
const CREATE_FUNCTION_SQL = `
  create or replace function pg_temp.one_by_one(statements text[], records json)
  returns table (at integer, "code" text, "table" text, "column" text, "constraint" text) language plpgsql as $$
  declare
    record json;
    statement text;
  begin
    at := 0;
    for record in select json_build_array(value) from json_array_elements(records) loop
      begin
        foreach statement in array statements loop
          execute statement using record;
        end loop;
      exception when data_exception or integrity_constraint_violation then
        get stacked diagnostics "code" = returned_sqlstate, "table" = table_name, "column" = column_name, "constraint" = constraint_name;
        return next;
      end;
      at := at + 1;
    end loop;
  end $$`

/** Writes rows that may be invalid, inside a client's transaction. */
export class RowWriter {
  private readonly client: PoolClient
  private isReady = false

  constructor(client: PoolClient) {
    this.client = client
  }

  /**
   * Writes rows one by one, each completely or not at all; returns the rejected ones by their index in the list.
   * @param statements the statements that write a row; $1 is a list with only this row, as JSON
   */
  async write(statements: readonly string[], rows: readonly unknown[]): Promise<Map<number, RowWriteError>> {
    if (!this.isReady) await this.client.query(CREATE_FUNCTION_SQL)
    this.isReady = true
    const result = await this.client.query<RowWriteError & { at: number }>('select * from pg_temp.one_by_one($1, $2)', [
      statements,
      JSON.stringify(rows),
    ])
    return new Map(result.rows.map(({ at, ...writeError }) => [at, writeError]))
  }
}
