-- Lists that ask for it have to name the tables that they read.
drop function bom_digest(integer);
