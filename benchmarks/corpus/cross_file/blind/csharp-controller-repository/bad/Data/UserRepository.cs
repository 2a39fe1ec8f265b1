using System.Data.SqlClient;

namespace Shop.Data
{
    public class UserRepository
    {
        private readonly SqlConnection _connection;

        public UserRepository(SqlConnection connection)
        {
            _connection = connection;
        }

        public int Count(string name)
        {
            var command = new SqlCommand("SELECT COUNT(*) FROM Users WHERE Name = '" + name + "'", _connection);
            return (int)command.ExecuteScalar();
        }
    }
}
