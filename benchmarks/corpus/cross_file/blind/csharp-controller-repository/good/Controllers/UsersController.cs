using Microsoft.AspNetCore.Mvc;
using Shop.Data;

namespace Shop.Controllers
{
    [ApiController]
    [Route("users")]
    public class UsersController : ControllerBase
    {
        private readonly UserRepository _users;

        public UsersController(UserRepository users)
        {
            _users = users;
        }

        [HttpGet]
        public IActionResult Find([FromQuery] string name)
        {
            return Ok(_users.Count(name));
        }
    }
}
