using System.Net.Http;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Mvc;

namespace Web;

public class ProxyController : Controller
{
    private readonly HttpClient _client = new HttpClient();

    public async Task<IActionResult> Get()
    {
        string address = RequestReader.Text(Request, "address");
        var answer = await _client.GetAsync(address);
        return StatusCode((int)answer.StatusCode);
    }
}
