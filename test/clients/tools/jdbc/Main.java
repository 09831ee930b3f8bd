import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

public class Main {
  public static void main(String[] arguments) throws Exception {
    String url = "jdbc:dbeaver:libsql:" + System.getenv("DATABASE_URL");
    try (Connection connection = DriverManager.getConnection(url, null, System.getenv("DATABASE_TOKEN"));
        Statement statement = connection.createStatement()) {
      statement.execute("create table customers (id integer primary key, name text not null)");
      try (var insert = connection.prepareStatement("insert into customers (name) values (?)")) {
        insert.setString(1, "ada");
        insert.execute();
      }
      statement.execute("alter table customers add column note text");
      statement.execute("insert into customers (name, note) values ('eve', 'second')");

      // What DBeaver's navigator shows.
      List<String> columns = new ArrayList<>();
      try (ResultSet found = connection.getMetaData().getColumns(null, null, "customers", null)) {
        while (found.next()) columns.add(found.getString("COLUMN_NAME"));
      }
      if (!columns.equals(List.of("id", "name", "note"))) throw new Exception("The columns are " + columns);

      List<String> rows = new ArrayList<>();
      try (ResultSet found = statement.executeQuery("select name, note from customers order by id")) {
        while (found.next()) {
          String note = (String) found.getObject("note");
          rows.add("{\"name\":\"" + found.getString("name") + "\",\"note\":" + (note == null ? note : '"' + note + '"') + "}");
        }
      }
      System.out.println(rows);
    }
  }
}
