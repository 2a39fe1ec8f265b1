using System.Net.Http;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Mvc;

namespace Web;

public class ProxyController : Controller
{
    private readonly HttpClient _client = new HttpClient();

    public async Task<IActionResult> Get()
    {
        int number = RequestReader.Number(Request, "address");
        var answer = await _client.GetAsync("https://api.example.com/items/" + number);
        return StatusCode((int)answer.StatusCode);
    }
}
