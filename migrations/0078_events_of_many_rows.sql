-- Rows as they were and as they are now are joined by hash or in order: the plan of a statement that changes one row is kept for the
-- session, and a nested loop, which is best for one, compares each of ten thousand with all others.
alter function record_events() set enable_nestloop = off;
