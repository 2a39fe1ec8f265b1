using Microsoft.AspNetCore.Mvc;
using Microsoft.Data.SqlClient;

namespace Kennel.Controllers;

[ApiController]
[Route("dogs")]
public class DogController : ControllerBase
{
    private readonly SqlConnection connection;

    public DogController(SqlConnection connection) => this.connection = connection;

    [HttpGet("search")]
    public async Task<IActionResult> Search(string breed)
    {
        await connection.OpenAsync();
        await using var command = new SqlCommand(
            "SELECT name, age FROM dogs WHERE breed = '" + breed + "'", connection);
        await using var reader = await command.ExecuteReaderAsync();
        var dogs = new List<object>();
        while (await reader.ReadAsync())
        {
            dogs.Add(new { Name = reader.GetString(0), Age = reader.GetInt32(1) });
        }
        return Ok(dogs);
    }
}
